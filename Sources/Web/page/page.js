import { Announcer } from './announcer.js';
import { Cards } from './cards.js';
import { byID, setText } from './dom.js';
import { HealthLine } from './health.js';
import { Listening } from './listening.js';
import { Messages } from './messages.js';
import { MicrophoneChoice } from './microphone-choice.js';
import { Modem } from './modem.js';
import { bandProblems, problem } from './problems.js';
import { Sound } from './sound.js';
import { Troubles } from './troubles.js';
import { bands, Waterfall } from './waterfall.js';
import { WaveformChoice } from './waveform-choice.js';
import { decibels, stateWords } from './words.js';

/** @typedef {import('./receiver.js').Heard & { contextSeconds: number }} HeardAt */
/** @typedef {import('./problems.js').Problem} Problem */

// Loaded before it is asked for: from the tap on, there is only the microphone to wait for.
const modem = Modem.load();
const sound = new Sound();
const announcer = new Announcer(byID('announcements', HTMLElement));
const cards = new Cards({
    list: byID('cards', HTMLElement), empty: byID('heard-empty', HTMLElement), count: byID('heard-count', HTMLElement),
}, (news) => announcer.say(news));
const waterfall = new Waterfall(byID('waterfall', HTMLCanvasElement));
const health = new HealthLine(byID('health', HTMLElement));
const troubles = new Troubles(byID('troubles', HTMLElement), act);
/** @type {WaveformChoice} */
const waveforms = new WaveformChoice(byID('waveforms', HTMLFieldSetElement), (profiles) => listening.setProfiles(profiles));
/** @type {Listening} */
const listening = new Listening(modem, waveforms.profiles);
const microphones = new MicrophoneChoice(byID('microphone', HTMLSelectElement), (id) => void listening.setDevice(id));
const array = byID('array', HTMLInputElement);
array.addEventListener('change', () => void listening.setMicrophones(array.checked ? 8 : 1));
const messages = new Messages(modem, cards, listening);
/** @type {import('./send-panel.js').SendPanel | undefined} */
let sending;

const listenButton = byID('listen', HTMLButtonElement);
const bandButton = byID('band', HTMLButtonElement), pauseButton = byID('pause', HTMLButtonElement);

listenButton.addEventListener('click', () => void toggle());
bandButton.addEventListener('click', () => showBand(waterfall.band === bands.high ? 'audible' : 'high'));
pauseButton.addEventListener('click', () => {
    const isPaused = pauseButton.getAttribute('aria-pressed') !== 'true';
    pauseButton.setAttribute('aria-pressed', String(isPaused));
    waterfall.setPaused(isPaused);
});

on('state', showState);
on('health', (detail) => health.show(detail));
on('heard', (detail) => void showHeard(detail));
on('failed', (detail) => troubles.show(detail));
on('problem', (/** @type {Problem} */ detail) => {
    const takesBand = bandProblems.has(detail.kind);
    troubles.show(detail, takesBand);
    if (takesBand) showBand('audible');
    showState();
});
on('solved', (kind) => {
    troubles.solve(kind);
    showState();
});
modem.catch((error) => troubles.show({
    kind: 'no-webassembly', message: `The modem could not be loaded: ${error.message}`, remedy: 'Reload the page.',
}));
if (!isSecureContext) troubles.show(problem('insecure'));
// It also starts the browser's audio process, for which the first AudioContext would keep the page waiting (Chromium: 40 to 180 ms).
else void microphones.refresh();
void beginRest();

/** What is not at once needed comes in tasks of its own, so that none keeps the page for long. */
async function beginRest() {
    void messages.begin();
    const { SendPanel } = await import('./send-panel.js');
    sending = new SendPanel(modem, sound);
    const { ProbePanel } = await import('./probe-panel.js');
    new ProbePanel(modem, listening, sound);
    const { beginOffline } = await import('./offline.js');
    await beginOffline();
}

async function toggle() {
    if (listening.isOn) return listening.stop();
    troubles.clear();
    await listening.start();
}

/** @type {AudioNode | undefined} what the waterfall shows */
let shown;

/** The button, the words beside it and the waterfall follow what the listener does. */
function showState() {
    const { state, isOn, listener } = listening;
    listenButton.classList.toggle('on', isOn);
    listenButton.setAttribute('aria-busy', String(state === 'starting'));
    setText(byID('listen-label', HTMLElement), isOn ? 'Stop' : 'Listen');
    setText(byID('listen-state', HTMLElement), stateWords(state));
    bandButton.disabled = pauseButton.disabled = !isOn;
    const source = isOn ? listener?.source : undefined;
    byID('waterfall-empty', HTMLElement).hidden = source !== undefined || shown !== undefined;
    if (source !== shown) {
        if (source && !shown) messages.listens();
        if (source) {
            // In a task of its own: making the graph has taken its time already.
            setTimeout(() => {
                if (shown === source) waterfall.begin(source);
                void microphones.refresh();
            });
        } else {
            void messages.stops();
            waterfall.end();
            troubles.clear();
            health.clear();
        }
        shown = source;
    }
}

/** @param {HeardAt} heard */
async function showHeard(heard) {
    // What this device sends by itself is no news; the waterfall shows that it is heard.
    const isOwn = messages.isOwn(heard.token);
    if (!isOwn) cards.heard(heard);
    const { bandLowHz, bandHighHz } = (await modem).profile(heard.profile);
    const toSeconds = heard.contextSeconds + heard.secondsOnAir;
    waterfall.outline({
        fromSeconds: heard.contextSeconds, toSeconds,
        lowHz: bandLowHz, highHz: bandHighHz, label: isOwn ? 'this device' : `${heard.profile} ${decibels(heard.snrDecibels)}`,
    });
    if (isOwn) return;
    // For whoever looks at the page's speed: from the end of the last frame to its card.
    const end = performance.now(), late = 1000 * ((listening.listener?.context.currentTime ?? toSeconds) - toSeconds);
    performance.clearMeasures('frame to card');
    performance.measure('frame to card', { start: Math.max(end - late, 0), end });
}

/** @param {keyof typeof bands} name */
function showBand(name) {
    waterfall.setBand(bands[name]);
    bandButton.setAttribute('aria-pressed', String(name === 'audible'));
}

/** @param {import('./words.js').Action} action of a button under a trouble */
function act(action) {
    switch (action) {
        case 'audible':
            waveforms.setOnly('fsk-audible');
            sending?.setProfile('fsk-audible');
            showBand('audible');
            break;
        case 'microphone': microphones.focus(); break;
        case 'listen': void toggle(); break;
        case 'resume': void listening.listener?.context.resume(); break;
        case 'fewer': listening.setProfiles(['dsss']); break;
        case 'https': location.protocol = 'https:'; break;
    }
}

/**
 * @param {string} kind
 * @param {(detail: any) => void} body
 */
function on(kind, body) {
    listening.addEventListener(kind, (/** @type {Event} */ event) => body(/** @type {CustomEvent} */ (event).detail));
}
