import { byID, make } from './dom.js';

/** @typedef {{ unpublish(): void }} Publication */

/** A line to publish, and those that are. */
export class PublishPanel {
    #text = byID('publish-text', HTMLInputElement);
    #wrong = byID('publish-wrong', HTMLElement);
    #list = byID('published', HTMLElement);
    #publish;

    /** @param {(text: string) => Publication} publish throws what is wrong, in words */
    constructor(publish) {
        this.#publish = publish;
        byID('publish', HTMLElement).hidden = false;
        byID('publish-form', HTMLFormElement).addEventListener('submit', (event) => {
            event.preventDefault();
            this.#submit();
        });
    }

    #submit() {
        const text = this.#text.value.trim();
        try {
            if (text === '') throw new RangeError('Write a line first.');
            this.#add(text, this.#publish(text));
            this.#text.value = '';
            this.#complain('');
        } catch (error) {
            if (!(error instanceof Error)) throw error;
            this.#complain(error.message);
            this.#text.focus();
        }
    }

    /**
     * @param {string} text
     * @param {Publication} publication
     */
    #add(text, publication) {
        const button = make('button', { type: 'button', className: 'small', textContent: 'Withdraw' });
        button.setAttribute('aria-label', `Withdraw ${text}`);
        const item = make('li', {}, make('span', { textContent: text }), button);
        button.addEventListener('click', () => {
            publication.unpublish();
            item.remove();
            this.#text.focus();
        });
        this.#list.append(item);
    }

    /** @param {string} words */
    #complain(words) {
        this.#wrong.textContent = words;
        this.#wrong.hidden = words === '';
        this.#text.toggleAttribute('aria-invalid', false);
        if (words) this.#text.setAttribute('aria-invalid', 'true');
    }
}
