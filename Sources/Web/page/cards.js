import { make, setText } from './dom.js';
import { digits, readableText } from './token-text.js';
import { ago, decibels, signed, times } from './words.js';

/** @typedef {import('./receiver.js').Heard} Heard */
/** @typedef {import('./operations.js').Found} Found */

/** Seconds without a frame after which a token counts as old, and after which its card goes. */
const oldAfterSeconds = 20, goneAfterSeconds = 60;

/**
 * @typedef {{ element: HTMLElement, facts: HTMLElement, seenSeconds: number, count: number, fixed: string[] }} Card
 */

/** What was heard of late: messages that were found first, then tokens. */
export class Cards {
    #list;
    #empty;
    #count;
    #say;
    /** @type {Map<string, Card>} */
    #tokens = new Map();
    /** @type {Map<string, HTMLElement>} */
    #messages = new Map();

    /**
     * @param {{ list: HTMLElement, empty: HTMLElement, count: HTMLElement }} places
     * @param {(news: string) => void} say tells who cannot see
     */
    constructor({ list, empty, count }, say) {
        this.#list = list;
        this.#empty = empty;
        this.#count = count;
        this.#say = say;
        setInterval(() => this.#age(), 1000);
    }

    /** @param {Heard} heard */
    heard(heard) {
        const key = `${heard.profile} ${digits(heard.token)}`;
        const text = readableText(heard.token);
        const known = this.#tokens.get(key);
        const card = known ?? this.#add(heard.profile, text, digits(heard.token));
        this.#tokens.set(key, card);
        card.count += 1;
        card.seenSeconds = performance.now() / 1000;
        card.fixed = factsOf(heard);
        card.element.classList.remove('old', 'again');
        if (known) {
            // The style has to be seen without the class before it can begin anew.
            void card.element.offsetWidth;
            card.element.classList.add('again');
        } else {
            this.#say(`Heard ${text ?? `a token, ${digits(heard.token)}`}.`);
        }
        this.#showFacts(card);
        this.#showCount();
    }

    /** @param {Found} found anew, or with other circumstances */
    found({ message, media, publication }) {
        const text = readableText(message.content);
        const shown = text ?? digits(message.content);
        const element = make('li', { className: 'card found' },
            make('p', { className: text ? 'what' : 'what digits', textContent: shown }),
            make('p', { className: 'facts' },
                make('span', { className: 'tag', textContent: message.type || 'message' }),
                make('span', { textContent: message.namespace }),
                make('span', { textContent: `by ${media.join(', ')}` })));
        const known = this.#messages.get(publication);
        if (known) known.replaceWith(element);
        else {
            this.#list.prepend(element);
            this.#say(`Found ${shown}.`);
        }
        this.#messages.set(publication, element);
        this.#showCount();
    }

    /** @param {Found} found */
    lost({ message, publication }) {
        this.#messages.get(publication)?.remove();
        if (!this.#messages.delete(publication)) return;
        this.#say(`Lost ${readableText(message.content) ?? digits(message.content)}.`);
        this.#showCount();
    }

    /** Forgets messages: whoever found them is gone. */
    forgetMessages() {
        for (const element of this.#messages.values()) element.remove();
        this.#messages.clear();
        this.#showCount();
    }

    /**
     * @param {string} profile
     * @param {string | undefined} text
     * @param {string} hexDigits
     * @returns {Card}
     */
    #add(profile, text, hexDigits) {
        const facts = make('p', { className: 'facts' });
        const element = make('li', { className: 'card' },
            make('p', { className: text ? 'what' : 'what digits', textContent: text ?? hexDigits }),
            ...(text ? [make('p', { className: 'also', textContent: hexDigits })] : []),
            facts);
        facts.append(make('span', { className: 'tag', textContent: profile }), make('span'));
        // New ones before older ones, after messages.
        const [firstToken] = this.#list.querySelectorAll('.card:not(.found)');
        this.#list.insertBefore(element, firstToken ?? null);
        return { element, facts, seenSeconds: 0, count: 0, fixed: [] };
    }

    /** @param {Card} card */
    #showFacts({ facts, fixed, count, seenSeconds }) {
        const words = [...fixed, times(count), ago(performance.now() / 1000 - seenSeconds)];
        setText(/** @type {Element} */ (facts.lastElementChild), words.join(' · '));
    }

    #age() {
        const now = performance.now() / 1000;
        for (const [key, card] of this.#tokens) {
            const age = now - card.seenSeconds;
            if (age > goneAfterSeconds) {
                card.element.remove();
                this.#tokens.delete(key);
                this.#showCount();
            } else {
                card.element.classList.toggle('old', age > oldAfterSeconds);
                this.#showFacts(card);
            }
        }
    }

    #showCount() {
        const tokens = this.#tokens.size, messages = this.#messages.size;
        this.#empty.hidden = tokens + messages > 0;
        const parts = [
            messages > 0 ? `${messages} ${messages === 1 ? 'message' : 'messages'}` : '',
            tokens > 0 ? `${tokens} ${tokens === 1 ? 'token' : 'tokens'}` : '',
        ];
        setText(this.#count, parts.filter(Boolean).join(', '));
    }
}

/** @param {Heard} heard */
function factsOf({ snrDecibels, levelDBFS, speedMetersPerSecond, isChecked }) {
    const facts = [`SNR ${decibels(snrDecibels)}`, `${decibels(levelDBFS)}FS`];
    if (Math.abs(speedMetersPerSecond) >= 0.3) facts.push(`${signed(speedMetersPerSecond, 1)} m/s`);
    if (!isChecked) facts.push('no check bits');
    return facts;
}
