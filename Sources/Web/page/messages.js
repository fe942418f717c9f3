import { byID, setText } from './dom.js';
import { keepPermission, keptPermission, serverConfig } from './nearby-server.js';
import { PublishPanel } from './publish-panel.js';

/** @typedef {import('./cards.js').Found} Found */
/** @typedef {import('./nearby-server.js').Permission} Permission */
/**
 * @typedef {EventTarget & {
 *     publish(message: { type: string, content: string }): import('./publish-panel.js').Publication,
 *     subscribe(filter: { type: string }): object,
 *     setPermission(permission: Permission): void, close(): Promise<void> }} Client
 */

/** @typedef {{ words: string[], server?: string, neighbours: number }} Status as the client tells it */

/** What the page publishes, and looks for. */
const messageType = 'text';

/** Messages by the page's server, where there is one and the user agrees. */
export class Messages {
    #modem;
    #cards;
    #consent = byID('consent', HTMLElement);
    #box = byID('permission', HTMLInputElement);
    /** @type {{ key: string } | undefined} */
    #config;
    /** @type {Promise<Client> | undefined} */
    #client;
    /** @type {Client | undefined} */
    #running;
    #permission = keptPermission();

    /**
     * @param {Promise<import('./modem.js').Modem>} modem
     * @param {import('./cards.js').Cards} cards
     */
    constructor(modem, cards) {
        this.#modem = modem;
        this.#cards = cards;
    }

    /** Looks whether there is a server. */
    async begin() {
        this.#config = await serverConfig();
        if (!this.#config) return;
        new PublishPanel((text) => this.#publish(text));
        byID('permission-choice', HTMLElement).hidden = false;
        this.#box.addEventListener('change', () => this.#decide(this.#box.checked ? 'granted' : 'denied'));
        byID('consent-yes', HTMLButtonElement).addEventListener('click', () => this.#decide('granted'));
        byID('consent-no', HTMLButtonElement).addEventListener('click', () => this.#decide('denied'));
        this.#show(this.#permission === 'granted' ? 'Ready for messages' : 'Tokens only');
        setText(byID('privacy-server', HTMLElement),
            'Nothing is recorded; if you agree, the tokens that are heard are reported to this page\'s server.');
    }

    /** The page listens now: a tap, in which sound may begin. */
    listens() {
        if (!this.#config) return;
        if (this.#permission === 'undecided') this.#consent.hidden = false;
        if (this.#permission === 'granted') void this.#start();
    }

    /** The page listens no more: so nobody is found, and nothing is sent. */
    async stops() {
        const client = await this.#client;
        this.#client = this.#running = undefined;
        await client?.close();
        this.#cards.forgetMessages();
        setText(byID('publish-state', HTMLElement), '');
        if (this.#config) this.#show(this.#permission === 'granted' ? 'Ready for messages' : 'Tokens only');
    }

    /** @param {Permission} permission */
    #decide(permission) {
        if (this.#consent.contains(document.activeElement)) byID('listen', HTMLElement).focus();
        this.#permission = permission;
        keepPermission(permission);
        this.#consent.hidden = true;
        this.#box.checked = permission === 'granted';
        this.#running?.setPermission(permission);
        if (permission === 'granted') void this.#start();
        else this.#show('Tokens only');
    }

    async #start() {
        this.#show('Connecting …');
        try {
            this.#client ??= this.#make();
            this.#running = await this.#client;
        } catch (error) {
            this.#client = undefined;
            this.#show('No server');
            console.error('The Nearby server cannot be used:', error);
        }
    }

    /** @returns {Promise<Client>} */
    async #make() {
        const { NearbyClient } = await import('./client.js');
        /** @type {Client} */
        const client = await NearbyClient.start({
            server: location.origin, key: this.#config?.key, modem: await this.#modem, permission: this.#permission,
        });
        for (const kind of ['found', 'updated']) client.addEventListener(kind, (event) => this.#cards.found(detailOf(event)));
        client.addEventListener('lost', (event) => this.#cards.lost(detailOf(event)));
        client.addEventListener('status', (event) => this.#showStatus(/** @type {CustomEvent<Status>} */ (event).detail));
        client.subscribe({ type: messageType });
        return client;
    }

    /** @param {string} text */
    #publish(text) {
        if (this.#permission !== 'granted') {
            this.#consent.hidden = false;
            byID('consent-yes', HTMLElement).focus();
            throw new Error('Agree to find messages first: see above.');
        }
        if (!this.#running) throw new Error('Listen first: who publishes has to be heard.');
        return this.#running.publish({ type: messageType, content: text });
    }

    /** @param {Status} status */
    #showStatus({ words, server, neighbours }) {
        const devices = neighbours === 1 ? '1 device near' : `${neighbours} devices near`;
        this.#show(server ? 'Server not reached' : neighbours > 0 ? devices : 'Finds messages', !server);
        setText(byID('publish-state', HTMLElement), words.join(' '));
    }

    /**
     * @param {string} words
     * @param {boolean} [isJoined]
     */
    #show(words, isJoined = false) {
        const pill = byID('server-state', HTMLElement);
        setText(pill, words);
        pill.classList.toggle('joined', isJoined);
        this.#box.checked = this.#permission === 'granted';
    }
}

/**
 * @param {Event} event
 * @returns {Found}
 */
function detailOf(event) { return /** @type {CustomEvent<Found>} */ (event).detail; }
