/**
 * The element of the page with that id.
 *
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind what it has to be
 * @returns {T}
 */
export function byID(id, kind) {
    const found = document.getElementById(id);
    if (found instanceof kind) return found;
    throw new TypeError(`expected #${id} to be a ${kind.name}, not ${found}`);
}

/**
 * A new element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Partial<Omit<HTMLElementTagNameMap[K], 'style'>>} [properties]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, properties = {}, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
}

/**
 * Sets a text that may be the same as before; screen readers are told of changes only.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}
