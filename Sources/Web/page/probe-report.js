import { make } from './dom.js';
import { decibels, list, signed } from './words.js';

/** @typedef {import('./probe.js').ProbeReport} ProbeReport */

/** Where the response begins, and its steps. */
const lowestHz = 16_000, stepHz = 250;
/** The picture: decibels from top to bottom, and its size. */
const picture = { top: 6, bottom: -30, width: 320, height: 120 };

/** @type {Record<import('./probe.js').ProbeOutlook['verdict'], string>} */
const classes = { 'works': 'works', 'marginal': 'marginal', 'does not work': 'fails' };

/**
 * What a probe found, for people.
 *
 * @param {ProbeReport} report
 * @returns {HTMLElement[]}
 */
export function probeReport(report) {
    return [make('p', { className: 'lead', textContent: verdict(report) }), response(report), outlook(report), facts(report)];
}

/** @param {ProbeReport} report */
function verdict({ profiles }) {
    const working = profiles.filter((one) => one.verdict === 'works').map(({ profile }) => profile);
    if (working.length === profiles.length && working.length > 0) return 'Good: every waveform from 18.5 to 20 kHz works here.';
    if (working.length > 0) return `${list(working)} ${working.length === 1 ? 'works' : 'work'} here.`;
    return 'No waveform from 18.5 to 20 kHz works well here: use fsk-audible.';
}

/** @param {ProbeReport} report */
function outlook({ profiles }) {
    const rows = profiles.map(({ profile, verdict: words, marginDecibels }) => make('tr', {},
        make('th', { scope: 'row', textContent: profile }),
        make('td', { className: classes[words], textContent: words }),
        make('td', { textContent: reserve(marginDecibels) })));
    const heads = ['Waveform', 'Here', 'In reserve'].map((textContent) => make('th', { scope: 'col', textContent }));
    return make('table', {}, make('caption', { textContent: 'Between this loudspeaker and this microphone' }),
        make('thead', {}, make('tr', {}, ...heads)), make('tbody', {}, ...rows));
}

/** @param {number | null} decibelsOver what it needs */
function reserve(decibelsOver) {
    if (decibelsOver === null) return '–';
    // Where nothing but digital silence is the noise, figures say no more.
    return decibelsOver > 60 ? 'over 60 dB' : decibels(decibelsOver);
}

/** @param {ProbeReport} report */
function facts({ bandDecibels, recommendedLevelDBFS, noiseDBFS, clippedSamples, rt60Seconds }) {
    const rows = [
        ['18.5–20 kHz', bandDecibels === null ? 'hidden by noise' : `${decibels(bandDecibels)} against 16–17 kHz`],
        ['Level to send at', recommendedLevelDBFS === null ? 'not found' : `${decibels(recommendedLevelDBFS)}FS`],
        ['Noise there', `${decibels(noiseDBFS)}FS`],
        ['Echoes fade in', rt60Seconds === null ? 'not found' : `${signed(rt60Seconds, 2)} s`],
    ];
    if (clippedSamples > 0) rows.push(['Clipped', `${clippedSamples} samples: turn the volume down`]);
    return make('dl', { className: 'health' }, ...rows.map(([name, value]) =>
        make('div', {}, make('dt', { textContent: name }), make('dd', { textContent: value }))));
}

/** @param {ProbeReport} report */
function response({ responseDecibels }) {
    const { top, bottom, width, height } = picture;
    const bar = width / Math.max(responseDecibels.length, 1);
    const svg = shape('svg', { viewBox: `0 0 ${width} ${height + 18}`, role: 'img', 'aria-label': describe(responseDecibels) });
    svg.append(shape('rect', { class: 'band', x: 10 * bar, y: 0, width: 6 * bar, height }));
    responseDecibels.forEach((value, step) => {
        if (value === null) return;
        const full = height * (Math.min(Math.max(value, bottom), top) - bottom) / (top - bottom);
        svg.append(shape('rect', { x: step * bar + 1, y: height - full, width: Math.max(bar - 2, 1), height: full }));
    });
    for (let hertz = lowestHz; hertz < lowestHz + stepHz * responseDecibels.length; hertz += 2000) {
        const text = shape('text', { x: (hertz - lowestHz) / stepHz * bar + 2, y: height + 13 });
        text.textContent = `${hertz / 1000} kHz`;
        svg.append(text);
    }
    const caption = make('figcaption', {
        textContent: 'How well each quarter of a kilohertz gets through, 36 dB from bottom to top; tokens lie in the tinted band.',
    });
    return make('figure', { className: 'response' }, svg, caption);
}

/** @param {(number | null)[]} response */
function describe(response) {
    const told = response.map((value, step) => value === null ? '' : `${(lowestHz + step * stepHz) / 1000} kHz ${decibels(value)}`);
    return `Response: ${told.filter((_, step) => step % 4 === 0).filter(Boolean).join(', ')}`;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function shape(name, attributes) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
}
