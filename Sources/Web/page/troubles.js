import { make } from './dom.js';
import { actionWords, fallbackWords, troubleWords } from './words.js';

/** @typedef {import('./problems.js').Problem} Problem */
/** @typedef {import('./problems.js').ProblemKind} ProblemKind */
/** @typedef {import('./words.js').Action} Action */

/** What is wrong, each with what to do about it. */
export class Troubles {
    #list;
    #onAction;
    /** @type {Map<ProblemKind, HTMLElement>} */
    #shown = new Map();

    /**
     * @param {HTMLElement} list
     * @param {(action: Action) => void} onAction a button was pressed
     */
    constructor(list, onAction) {
        this.#list = list;
        this.#onAction = onAction;
    }

    /**
     * @param {Problem} problem
     * @param {boolean} [hasFallback] whether the audible waveform is listened for because of it
     */
    show({ kind, message, remedy }, hasFallback = false) {
        const { title, actions } = troubleWords[kind];
        const buttons = actions.map((action) => make('button', {
            type: 'button', className: 'small', textContent: actionWords[action], onclick: () => this.#onAction(action),
        }));
        const item = make('li', { className: 'trouble' },
            make('h3', { textContent: title }),
            make('p', { textContent: [message, remedy, hasFallback ? fallbackWords : ''].filter(Boolean).join(' ') }),
            ...(buttons.length > 0 ? [make('div', { className: 'buttons' }, ...buttons)] : []));
        item.dataset.kind = kind;
        this.#shown.get(kind)?.remove();
        this.#shown.set(kind, item);
        this.#list.append(item);
        this.#list.hidden = false;
    }

    /** @param {ProblemKind} kind */
    solve(kind) {
        const item = this.#shown.get(kind);
        // Whoever was on one of its buttons is not to be thrown to the page's beginning.
        if (item?.contains(document.activeElement)) document.getElementById('listen')?.focus();
        item?.remove();
        this.#shown.delete(kind);
        this.#list.hidden = this.#shown.size === 0;
    }

    clear() { for (const kind of [...this.#shown.keys()]) this.solve(kind); }
}
