import { make } from './dom.js';

/** News within this time is told together, so that a busy room is not read out for minutes. */
const gatherMilliseconds = 1500;
const keptCount = 20;

/** Tells screen readers what is new; repeats are not. */
export class Announcer {
    #log;
    /** @type {string[]} */
    #news = [];

    /** @param {HTMLElement} log a live region */
    constructor(log) { this.#log = log; }

    /** @param {string} text */
    say(text) {
        this.#news.push(text);
        if (this.#news.length === 1) setTimeout(() => this.#tell(), gatherMilliseconds);
    }

    #tell() {
        const news = this.#news.splice(0);
        const text = news.length > 3 ? `${news.slice(0, 2).join(' ')} And ${news.length - 2} more.` : news.join(' ');
        this.#log.append(make('p', { textContent: text }));
        while (this.#log.childElementCount > keptCount) this.#log.firstElementChild?.remove();
    }
}
