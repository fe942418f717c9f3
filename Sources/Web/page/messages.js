import { byID, setText } from './dom.js';
import { keepPermission, keptPermission, serverConfig } from './nearby-server.js';
import { PublishPanel } from './publish-panel.js';

/** @typedef {import('./client.js').NearbyClient} Client loaded where it is needed alone */
/** @typedef {import('./nearby-server.js').Permission} Permission */

/** The type of what the page publishes; it looks for messages of all types. */
const messageType = 'text';

/** Messages by the page's server, where there is one and the user agrees. */
export class Messages {
    #modem;
    #cards;
    #consent = byID('consent', HTMLElement);
    #box = byID('permission', HTMLInputElement);
    /** @type {{ key: string } | undefined} */
    #config;
    /** @type {Promise<Client | undefined> | undefined} */
    #client;
    /** @type {Client | undefined} */
    #running;
    /** @type {PublishPanel | undefined} */
    #panel;
    #permission = keptPermission();
    #listening;

    /**
     * @param {Promise<import('./modem.js').Modem>} modem
     * @param {import('./cards.js').Cards} cards
     * @param {import('./listening.js').Listening} listening
     */
    constructor(modem, cards, listening) {
        this.#modem = modem;
        this.#cards = cards;
        this.#listening = listening;
    }

    /** Looks whether there is a server. */
    async begin() {
        this.#config = await serverConfig();
        if (!this.#config) return;
        this.#panel = new PublishPanel(() => this.#refuse());
        byID('permission-choice', HTMLElement).hidden = false;
        this.#box.addEventListener('change', () => this.#decide(this.#box.checked ? 'granted' : 'denied'));
        byID('consent-yes', HTMLButtonElement).addEventListener('click', () => this.#decide('granted'));
        byID('consent-no', HTMLButtonElement).addEventListener('click', () => this.#decide('denied'));
        this.#showIdle();
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
        const client = this.#client;
        this.#client = this.#running = undefined;
        this.#panel?.pause();
        this.#cards.forgetMessages();
        await (await client)?.close();
        // It may listen again already.
        if (!this.#config || this.#client) return;
        setText(byID('publish-state', HTMLElement), this.#panel?.isEmpty ? '' : 'To be published again when you listen.');
        this.#showIdle();
    }

    /**
     * Whether this device has sent it as its token.
     *
     * @param {Uint8Array} token
     */
    isOwn(token) { return this.#running?.isOwn(token) ?? false; }

    /** @param {Permission} permission */
    #decide(permission) {
        if (this.#consent.contains(document.activeElement)) byID('listen', HTMLElement).focus();
        this.#permission = permission;
        keepPermission(permission);
        this.#consent.hidden = true;
        this.#box.checked = permission === 'granted';
        this.#running?.setPermission(permission);
        if (permission === 'granted' && this.#listening.isOn) void this.#start();
        else this.#showIdle();
    }

    async #start() {
        if (!this.#client) this.#show('Connecting …');
        const starting = this.#client ??= this.#make();
        const client = await starting;
        // It may have ended meanwhile, or run before.
        if (this.#client !== starting || this.#running) return;
        this.#running = client;
        if (client) this.#panel?.resume((text) => client.publish({ type: messageType, content: text }));
        else this.#client = undefined;
    }

    /** @returns {Promise<Client | undefined>} nothing where it cannot be had, which is said */
    async #make() {
        try {
            return await this.#connect();
        } catch (error) {
            this.#show('No server');
            console.error('The Nearby server cannot be used:', error);
            return undefined;
        }
    }

    /** @returns {Promise<Client>} */
    async #connect() {
        const { NearbyClient } = await import('./client.js');
        const client = await NearbyClient.start({
            server: location.origin, key: this.#config?.key, modem: await this.#modem, permission: this.#permission,
            audio: { listener: this.#listening.listener },
        });
        client.addEventListener('found', ({ detail }) => this.#cards.found(detail));
        client.addEventListener('updated', ({ detail }) => this.#cards.found(detail));
        client.addEventListener('lost', ({ detail }) => this.#cards.lost(detail));
        client.addEventListener('status', ({ detail }) => this.#showStatus(detail));
        client.subscribe();
        return client;
    }

    /** Why nothing can be published now: an error to be shown. */
    #refuse() {
        if (this.#permission === 'granted') return new Error('Listen first: who publishes has to be heard.');
        this.#consent.hidden = false;
        byID('consent-yes', HTMLElement).focus();
        return new Error('Agree to find messages first: see above.');
    }

    /** @param {import('./status-words.js').StatusInWords} status */
    #showStatus({ words, server, neighbours }) {
        const devices = neighbours === 1 ? '1 device near' : `${neighbours} devices near`;
        this.#show(server ? 'Server not reached' : neighbours > 0 ? devices : 'Finds messages', !server);
        setText(byID('publish-state', HTMLElement), words.join(' '));
    }

    /** No client is there, or wanted. */
    #showIdle() { this.#show(this.#permission === 'granted' ? 'Ready for messages' : 'Tokens only'); }

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
