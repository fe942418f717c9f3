/** @typedef {import('./waterfall.js').Outline} Outline */
/** @typedef {import('./waterfall.js').Band} Band */

/**
 * What the picture shows: pixels of the device, and the time at its right edge.
 *
 * @typedef {object} View
 * @property {number} width
 * @property {number} height
 * @property {number} scale pixels of the device for one of CSS
 * @property {Band} band
 * @property {number} endSeconds
 * @property {number} columnsPerSecond
 */

/** The band of near-ultrasonic tokens. */
const tokenBandHz = [18_500, 20_000];

/**
 * Frequencies at the left, seconds at the bottom.
 *
 * @param {CanvasRenderingContext2D} picture
 * @param {View} view
 */
export function drawScales(picture, view) {
    const { width, height, scale, band } = view;
    picture.font = `${11 * scale}px system-ui, sans-serif`;
    picture.textBaseline = 'middle';
    picture.fillStyle = 'rgb(255 255 255 / 22%)';
    for (const hertz of tokenBandHz) {
        const y = Math.round(rowOf(hertz, view));
        for (let x = 0; x < width; x += 6 * scale) picture.fillRect(x, y, 2 * scale, Math.max(1, Math.round(scale / 2)));
    }
    const step = 2000;
    for (let hertz = Math.ceil(band.lowHz / step) * step; hertz <= band.highHz; hertz += step) {
        const y = Math.min(Math.max(rowOf(hertz, view), 9 * scale), height - 9 * scale);
        picture.fillStyle = 'rgb(255 255 255 / 70%)';
        picture.fillRect(0, rowOf(hertz, view) - scale / 2, 6 * scale, scale);
        label(picture, `${hertz / 1000} kHz`, 9 * scale, y, scale, 'rgb(5 7 15 / 55%)', '#f2f6fa');
    }
    for (let seconds = 5; seconds * view.columnsPerSecond < width - 40 * scale; seconds += 5) {
        const x = width - seconds * view.columnsPerSecond;
        picture.fillStyle = 'rgb(255 255 255 / 70%)';
        picture.fillRect(x, height - 5 * scale, scale, 5 * scale);
        // The first of them would lie on the lowest frequency.
        if (x > 60 * scale) label(picture, `−${seconds} s`, x - 10 * scale, height - 14 * scale, scale, 'rgb(5 7 15 / 55%)', '#f2f6fa');
    }
}

/**
 * A box around each frame, with its profile and SNR.
 *
 * @param {CanvasRenderingContext2D} picture
 * @param {View} view
 * @param {Outline[]} outlines
 */
export function drawOutlines(picture, view, outlines) {
    const { width, height, scale, band, endSeconds, columnsPerSecond } = view;
    picture.font = `600 ${11 * scale}px system-ui, sans-serif`;
    picture.textBaseline = 'middle';
    for (const { fromSeconds, toSeconds, lowHz, highHz, label: text } of outlines) {
        if (lowHz >= band.highHz || highHz <= band.lowHz) continue;
        const left = width - (endSeconds - fromSeconds) * columnsPerSecond;
        const right = width - (endSeconds - toSeconds) * columnsPerSecond;
        const top = Math.max(rowOf(highHz, view), scale), bottom = Math.min(rowOf(lowHz, view), height - scale);
        for (const [style, lineWidth] of /** @type {[string, number][]} */ ([['rgb(5 7 15 / 75%)', 4 * scale], ['#ffffff', 1.5 * scale]])) {
            picture.strokeStyle = style;
            picture.lineWidth = lineWidth;
            picture.strokeRect(left, top, right - left, bottom - top);
        }
        // Above the box where there is room, else within.
        const y = top > 20 * scale ? top - 10 * scale : top + 12 * scale;
        label(picture, text, Math.max(left, 0) + 1 * scale, y, scale, '#ffffff', '#101c24');
    }
}

/**
 * @param {number} hertz
 * @param {View} view
 */
function rowOf(hertz, { band, height }) {
    return height * (band.highHz - hertz) / (band.highHz - band.lowHz);
}

/**
 * @param {CanvasRenderingContext2D} picture
 * @param {string} text
 * @param {number} x
 * @param {number} y its middle
 * @param {number} scale
 * @param {string} ground
 * @param {string} ink
 */
function label(picture, text, x, y, scale, ground, ink) {
    picture.fillStyle = ground;
    picture.fillRect(x - 3 * scale, y - 8 * scale, picture.measureText(text).width + 6 * scale, 16 * scale);
    picture.fillStyle = ink;
    picture.fillText(text, x, y + 0.5 * scale);
}
