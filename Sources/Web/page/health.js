import { make, setText } from './dom.js';
import { healthWords } from './words.js';

/** @typedef {import('./listener-options.js').Health} Health */

/** The line that says how well this device hears. */
export class HealthLine {
    #list;

    /** @param {HTMLElement} list a dl */
    constructor(list) { this.#list = list; }

    /** @param {Health} health */
    show(health) {
        healthWords(health).forEach(({ name, value, isPoor, isWide }, index) => {
            const row = this.#list.children[index] ?? this.#add(name, isWide === true);
            const shown = /** @type {HTMLElement} */ (row.lastElementChild);
            setText(shown, value);
            shown.classList.toggle('poor', isPoor);
        });
    }

    clear() { this.#list.replaceChildren(); }

    /**
     * @param {string} name
     * @param {boolean} isWide
     */
    #add(name, isWide) {
        const row = make('div', { className: isWide ? 'wide' : '' }, make('dt', { textContent: name }), make('dd'));
        this.#list.append(row);
        return row;
    }
}
