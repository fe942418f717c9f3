import { byID, make } from './dom.js';

/** @typedef {{ unpublish(): void }} Publication */
/** @typedef {(text: string) => Publication} Publish throws what is wrong, in words */

/** A line to publish, and those that are. */
export class PublishPanel {
    #text = byID('publish-text', HTMLInputElement);
    #wrong = byID('publish-wrong', HTMLElement);
    #list = byID('published', HTMLElement);
    /**
     * What is to be published, and is while there is a client.
     * @type {Map<string, Publication | undefined>}
     */
    #lines = new Map();
    /** @type {Publish | undefined} */
    #publish;
    #refuse;

    /** @param {() => Error} refuse says why nothing can be published without a client */
    constructor(refuse) {
        this.#refuse = refuse;
        byID('publish', HTMLElement).hidden = false;
        byID('publish-form', HTMLFormElement).addEventListener('submit', (event) => {
            event.preventDefault();
            this.#submit();
        });
    }

    get isEmpty() { return this.#lines.size === 0; }

    /**
     * A client is there, and publishes all lines.
     *
     * @param {Publish} publish
     */
    resume(publish) {
        this.#publish = publish;
        for (const text of this.#lines.keys()) this.#lines.set(text, publish(text));
    }

    /** The client is gone, and what it published with it; the next one publishes the lines again. */
    pause() {
        this.#publish = undefined;
        for (const text of this.#lines.keys()) this.#lines.set(text, undefined);
    }

    #submit() {
        const text = this.#text.value.trim();
        try {
            if (text === '') throw new RangeError('Write a line first.');
            if (!this.#publish) throw this.#refuse();
            if (!this.#lines.has(text)) this.#add(text, this.#publish(text));
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
        this.#lines.set(text, publication);
        const button = make('button', { type: 'button', className: 'small', textContent: 'Withdraw' });
        button.setAttribute('aria-label', `Withdraw ${text}`);
        const item = make('li', {}, make('span', { textContent: text }), button);
        button.addEventListener('click', () => {
            this.#lines.get(text)?.unpublish();
            this.#lines.delete(text);
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
