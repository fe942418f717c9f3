import { make } from './dom.js';

/** What can be listened for together; every receiver costs its own search, so most are off. */
const groups = [
    { profiles: ['dsss', 'dsss-quick', 'dsss-far'], name: 'DSSS, 18.5–20 kHz', about: 'dsss, dsss-quick, dsss-far' },
    { profiles: ['fsk', 'fsk-long'], name: 'FSK, 18.5–20 kHz', about: 'fsk, fsk-long' },
    {
        profiles: ['ggwave-ultrasound-normal', 'ggwave-ultrasound-fast', 'ggwave-ultrasound-fastest'],
        name: 'ggwave, 15–19.5 kHz', about: 'normal, fast, fastest',
    },
    {
        profiles: ['ggwave-audible-normal', 'ggwave-audible-fast', 'ggwave-audible-fastest'],
        name: 'ggwave, audible', about: 'normal, fast, fastest',
    },
    { profiles: ['fsk-audible'], name: 'FSK, audible', about: 'fsk-audible: where nothing above 16 kHz gets through' },
];

/** Which waveforms are listened for. */
export class WaveformChoice {
    #fieldset;
    #onChange;

    /**
     * @param {HTMLFieldSetElement} fieldset
     * @param {(profiles: string[]) => void} onChange never with none
     */
    constructor(fieldset, onChange) {
        this.#fieldset = fieldset;
        this.#onChange = onChange;
        for (const [index, { name, about }] of groups.entries()) {
            const box = make('input', { type: 'checkbox', value: String(index), checked: index === 0 });
            box.addEventListener('change', () => this.#changed(box));
            fieldset.append(make('label', {}, box, make('span', {}, name, make('small', { textContent: about }))));
        }
    }

    /** @returns {string[]} */
    get profiles() { return this.#boxes.filter((box) => box.checked).flatMap((box) => groups[Number(box.value)].profiles); }

    /** @param {string} profile listened for alone, with those that are chosen with it */
    setOnly(profile) {
        for (const box of this.#boxes) box.checked = groups[Number(box.value)].profiles.includes(profile);
        this.#onChange(this.profiles);
    }

    get #boxes() { return [...this.#fieldset.querySelectorAll('input')]; }

    /** @param {HTMLInputElement} box */
    #changed(box) {
        // Whoever listens listens for something.
        if (this.profiles.length === 0) box.checked = true;
        this.#onChange(this.profiles);
    }
}
