import { colourMap } from './colour-map.js';
import { drawOutlines, drawScales } from './waterfall-marks.js';
import { Spectrum } from './spectrum.js';

/** @typedef {{ lowHz: number, highHz: number, name: string }} Band */
/** @typedef {{ fromSeconds: number, toSeconds: number, lowHz: number, highHz: number, label: string }} Outline */

/** What can be looked at: where near-ultrasonic frames are, and where audible ones are. */
export const bands = {
    high: { lowHz: 16_000, highHz: 22_000, name: '16 to 22 kHz' },
    audible: { lowHz: 0, highHz: 8_000, name: '0 to 8 kHz' },
};

/** CSS pixels by which it moves in a second. */
const speed = 48;
/** Milliseconds between pictures for who wants less motion. */
const calmMilliseconds = 1000;

/** The sound of the last seconds, from left to right, with the frames that were heard in it. */
export class Waterfall {
    #canvas;
    #picture;
    /** A ring of columns as wide as the canvas: column n is at n modulo the width. */
    #ring = document.createElement('canvas');
    #columns;
    #colours = colourMap();
    /** @type {ImageData | undefined} */
    #column;
    /** @type {Spectrum | undefined} */
    #spectrum;
    /** The last column that was written. */
    #last = 0;
    /** @type {Outline[]} */
    #outlines = [];
    /** @type {Band} */
    #band = bands.high;
    #isPaused = false;
    #lastDrawn = 0;
    #calm = matchMedia('(prefers-reduced-motion: reduce)');
    #request = 0;

    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        this.#canvas = canvas;
        this.#picture = context2D(canvas);
        this.#columns = context2D(this.#ring);
        new ResizeObserver(() => this.#fit()).observe(canvas);
    }

    /** @returns {Band} */
    get band() { return this.#band; }

    /** @param {AudioNode} source another one after each time the microphone was opened */
    begin(source) {
        this.end();
        this.#spectrum = new Spectrum(source);
        this.#fit();
        this.#request = requestAnimationFrame(this.#onFrame);
    }

    /** Stands still. */
    end() {
        cancelAnimationFrame(this.#request);
        this.#spectrum?.close();
        this.#spectrum = undefined;
    }

    /** @param {Band} band */
    setBand(band) {
        if (this.#band === band) return;
        this.#band = band;
        this.#fit();
    }

    /** @param {boolean} isPaused what is heard meanwhile is there afterwards */
    setPaused(isPaused) {
        this.#isPaused = isPaused;
        this.#lastDrawn = 0;
    }

    /** @param {Outline} outline of a frame, in seconds of the context */
    outline(outline) { this.#outlines.push(outline); }

    /** Makes it as large as it is shown, and empty. */
    #fit() {
        if (!this.#spectrum) return;
        const { clientWidth, clientHeight } = this.#canvas;
        const scale = Math.min(devicePixelRatio, 3);
        const width = Math.max(Math.round(clientWidth * scale), 1), height = Math.max(Math.round(clientHeight * scale), 1);
        for (const canvas of [this.#canvas, this.#ring]) [canvas.width, canvas.height] = [width, height];
        this.#column = new ImageData(1, height);
        this.#columns.fillStyle = 'rgb(5 7 15)';
        this.#columns.fillRect(0, 0, width, height);
        this.#canvas.setAttribute('aria-label', `Waterfall of the sound from ${this.#band.name}`);
        this.#spectrum.setBand(this.#band, height);
        this.#last = this.#columnNow();
        this.#outlines = [];
        this.#lastDrawn = 0;
        this.#draw();
    }

    /** Columns in a second: one for each pixel of the device. */
    get #rate() { return speed * this.#canvas.width / Math.max(this.#canvas.clientWidth, 1); }

    #columnNow() { return this.#spectrum ? Math.floor(this.#spectrum.seconds * this.#rate) : this.#last; }

    #onFrame = () => {
        this.#request = requestAnimationFrame(this.#onFrame);
        const now = this.#columnNow();
        if (now <= this.#last) return;
        this.#write(now);
        const pause = this.#calm.matches ? calmMilliseconds : 0;
        if (this.#isPaused || performance.now() - this.#lastDrawn < pause) return;
        this.#lastDrawn = performance.now();
        this.#draw();
    };

    /**
     * Writes what is heard now up to this column.
     *
     * @param {number} now
     */
    #write(now) {
        if (!this.#spectrum || !this.#column) return;
        const levels = this.#spectrum.levels();
        const pixels = new Uint32Array(this.#column.data.buffer);
        for (let row = 0; row < pixels.length; row++) pixels[row] = this.#colours[Math.round(255 * levels[row])];
        const { width, height } = this.#ring;
        // A page that was hidden has heard no spectra: what is too old for this one stays empty.
        const first = Math.max(this.#last + 1, now - Math.ceil(0.25 * this.#rate), now - width + 1);
        this.#columns.fillStyle = 'rgb(5 7 15)';
        for (let gap = Math.max(this.#last + 1, now - width + 1); gap < first; gap++) this.#columns.fillRect(gap % width, 0, 1, height);
        for (let column = first; column <= now; column++) this.#columns.putImageData(this.#column, column % width, 0);
        this.#last = now;
    }

    #draw() {
        const { width, height } = this.#ring;
        // A context's first columns come before its beginning.
        const oldest = ((this.#last + 1) % width + width) % width;
        this.#picture.drawImage(this.#ring, oldest, 0, width - oldest, height, 0, 0, width - oldest, height);
        if (oldest > 0) this.#picture.drawImage(this.#ring, 0, 0, oldest, height, width - oldest, 0, oldest, height);
        if (!this.#spectrum) return;
        const scale = width / Math.max(this.#canvas.clientWidth, 1);
        const view = { width, height, scale, band: this.#band, endSeconds: (this.#last + 1) / this.#rate, columnsPerSecond: this.#rate };
        const startSeconds = view.endSeconds - width / this.#rate;
        this.#outlines = this.#outlines.filter(({ toSeconds }) => toSeconds > startSeconds);
        drawScales(this.#picture, view);
        drawOutlines(this.#picture, view, this.#outlines);
    }
}

/** @param {HTMLCanvasElement} canvas */
function context2D(canvas) {
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('expected a canvas to draw on; this browser has none');
    return context;
}
