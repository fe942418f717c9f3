import { make } from './dom.js';

/** Names under which browsers list headsets; they take 8 to 24 kHz while they are a microphone. */
const headset = /bluetooth|airpods|headset|hands-?free|buds/i;

/** The microphones that there are. */
export class MicrophoneChoice {
    #select;

    /**
     * @param {HTMLSelectElement} select
     * @param {(deviceID: string) => void} onChange
     */
    constructor(select, onChange) {
        this.#select = select;
        select.addEventListener('change', () => onChange(select.value));
        navigator.mediaDevices?.addEventListener('devicechange', () => void this.refresh());
    }

    /** Looks again; browsers tell names only to whom they gave the microphone. */
    async refresh() {
        const devices = await navigator.mediaDevices.enumerateDevices();
        const chosen = this.#select.value;
        const options = devices.filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '' && deviceId !== 'default')
            .map(({ deviceId, label }, index) => make('option', {
                value: deviceId, textContent: (label || `Microphone ${index + 1}`) + (headset.test(label) ? ' (Bluetooth: no near-ultrasound)' : ''),
            }));
        this.#select.replaceChildren(make('option', { value: '', textContent: 'The browser\'s choice' }), ...options);
        this.#select.value = options.some(({ value }) => value === chosen) ? chosen : '';
    }

    focus() {
        this.#select.scrollIntoView({ block: 'center' });
        this.#select.focus();
    }
}
