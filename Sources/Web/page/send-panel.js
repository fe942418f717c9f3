import { byID, make } from './dom.js';
import { Speaker } from './speaker.js';
import { typedToken } from './token-text.js';
import { signed, times } from './words.js';

/** @typedef {import('./modem.js').Modem} Modem */
/** @typedef {import('./speaker.js').Playing} Playing */

/** Sends a token, as a box does. */
export class SendPanel {
    #modem;
    #sound;
    #token = byID('send-token', HTMLInputElement);
    #profile = byID('send-profile', HTMLSelectElement);
    #often = byID('send-often', HTMLSelectElement);
    #level = byID('send-level', HTMLInputElement);
    #button = byID('send-button', HTMLButtonElement);
    #wrong = byID('send-wrong', HTMLElement);
    #state = byID('send-state', HTMLElement);
    /** @type {Modem | undefined} */
    #loaded;
    /** @type {Speaker | undefined} */
    #speaker;
    /** @type {Playing | undefined} */
    #playing;

    /**
     * @param {Promise<Modem>} modem
     * @param {import('./sound.js').Sound} sound
     */
    constructor(modem, sound) {
        this.#modem = modem;
        this.#sound = sound;
        const form = byID('send-form', HTMLFormElement);
        form.addEventListener('submit', (event) => {
            event.preventDefault();
            void (this.#playing ? this.#stop() : this.#send());
        });
        form.addEventListener('input', () => this.#show());
        void modem.then((loaded) => this.#offer(loaded), () => this.#complain('The modem could not be loaded: reload the page.'));
        this.#show();
    }

    /** @param {string} profile to be sent in from the next time on */
    setProfile(profile) {
        this.#profile.value = profile;
        this.#show();
    }

    /** @returns {'text' | 'hex'} */
    get #kind() {
        return document.querySelector('input[name=send-kind]:checked')?.getAttribute('value') === 'hex' ? 'hex' : 'text';
    }

    /** @param {Modem} modem */
    #offer(modem) {
        this.#loaded = modem;
        const groups = { '18.5–20 kHz': [], 'ggwave, 15–19.5 kHz': [], 'audible': [] };
        for (const { name, bandLowHz } of modem.profiles) {
            const group = bandLowHz < 15_000 ? 'audible' : name.startsWith('ggwave') ? 'ggwave, 15–19.5 kHz' : '18.5–20 kHz';
            /** @type {string[]} */ (groups[group]).push(name);
        }
        const chosen = this.#profile.value;
        this.#profile.replaceChildren(...Object.entries(groups).map(([label, names]) =>
            make('optgroup', { label }, ...names.map((name) => make('option', { value: name, textContent: name })))));
        this.#profile.value = chosen || 'dsss';
        this.#button.disabled = false;
        this.#show();
    }

    #show() {
        byID('send-level-shown', HTMLOutputElement).textContent = `${signed(Number(this.#level.value), 0)} dBFS`;
        const profile = this.#loaded?.profiles.find(({ name }) => name === this.#profile.value);
        const isAudible = profile && profile.bandLowHz < 15_000 ? ', audible' : '';
        byID('send-size', HTMLElement).textContent = profile
            ? `${profile.minTokenBytes} to ${profile.maxTokenBytes} bytes; a frame takes ${profile.secondsOnAir.toFixed(1)} s${isAudible}.`
            : 'Loading the modem …';
    }

    async #send() {
        this.#complain('');
        // Before anything is waited for: browsers let only a tap begin to sound.
        const context = this.#sound.begin('sending');
        try {
            const token = typedToken(this.#token.value, this.#kind);
            const modem = await this.#modem;
            this.#checkLength(token.length, modem);
            this.#speaker ??= new Speaker(modem, context);
            const isOnce = this.#often.value === 'once';
            const playing = this.#speaker.play(token, {
                profile: this.#profile.value, levelDBFS: Number(this.#level.value),
                ...(isOnce ? { count: 1 } : { everySeconds: Number(this.#often.value), jitterSeconds: 0.3 }),
            });
            this.#follow(playing);
        } catch (error) {
            if (!(error instanceof RangeError)) throw error;
            this.#sound.end('sending');
            this.#complain(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`);
            this.#token.setAttribute('aria-invalid', 'true');
            this.#token.focus();
        }
    }

    /** @param {Playing} playing */
    #follow(playing) {
        let count = 0;
        this.#playing = playing;
        this.#button.textContent = 'Stop sending';
        this.#button.classList.add('stop');
        this.#state.textContent = 'Sending …';
        byID('send-mute', HTMLElement).hidden = !/iPhone|iPad/.test(navigator.userAgent);
        playing.addEventListener('stalled', ({ detail }) => this.#complain(detail.message));
        playing.addEventListener('sent', () => {
            count += 1;
            this.#complain('');
            // The first is news; screen readers need not hear of all others.
            this.#state.setAttribute('aria-live', count === 1 ? 'polite' : 'off');
            this.#state.textContent = `Sent ${times(count)}.`;
        });
        playing.addEventListener('problem', ({ detail }) => this.#complain(detail.message));
        playing.addEventListener('ended', () => {
            this.#playing = undefined;
            this.#sound.end('sending');
            this.#button.textContent = 'Send';
            this.#button.classList.remove('stop');
        });
    }

    #stop() {
        this.#button.textContent = 'Ending the frame …';
        return this.#playing?.stop();
    }

    /**
     * @param {number} length
     * @param {Modem} modem
     */
    #checkLength(length, modem) {
        const { name, minTokenBytes, maxTokenBytes } = modem.profile(this.#profile.value);
        if (length >= minTokenBytes && length <= maxTokenBytes) return;
        throw new RangeError(`a token of ${name} has ${minTokenBytes} to ${maxTokenBytes} bytes, this one has ${length}`);
    }

    /** @param {string} words empty when nothing is wrong */
    #complain(words) {
        this.#wrong.textContent = words;
        this.#wrong.hidden = words === '';
        this.#token.removeAttribute('aria-invalid');
    }
}
