import { crc32, deflateSync } from 'node:zlib';

/**
 * A PNG of few colours, so chosen that one is near each pixel's.
 *
 * @param {Uint8ClampedArray} pixels red, green, blue, opacity; all opaque
 * @param {number} width
 * @param {number} [most] colours, at most 256
 */
export function indexedPNG(pixels, width, most = 256) {
    const height = pixels.length / 4 / width;
    const colours = new Uint32Array(pixels.length / 4).map((_, pixel) => {
        const [red, green, blue] = pixels.subarray(4 * pixel, 4 * pixel + 3);
        return red << 16 | green << 8 | blue;
    });
    const counts = new Map();
    for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
    const palette = representatives([...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one)), most);
    const indices = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
    // A pixel has as few bits as the colours need. Each row begins with a byte that names its filter: none.
    const depth = [1, 2, 4, 8].find((bits) => palette.length <= 1 << bits), perByte = 8 / depth;
    const rowBytes = 1 + Math.ceil(width / perByte);
    const rows = Buffer.alloc(height * rowBytes);
    colours.forEach((colour, pixel) => {
        const [row, column] = [Math.floor(pixel / width), pixel % width];
        rows[row * rowBytes + 1 + Math.floor(column / perByte)] |= indices.get(colour) << 8 - depth * (1 + column % perByte);
    });
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([depth, 3, 0, 0, 0], 8);
    return Buffer.concat([
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', header),
        chunk('PLTE', Buffer.from(palette.flatMap(parts))), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0)),
    ]);
}

/**
 * Colours of which one is near each of these; the frequent ones themselves.
 *
 * @param {number[]} colours the most frequent first
 * @param {number} most
 */
function representatives(colours, most) {
    for (let apart = 0; ; apart += 3) {
        const chosen = [];
        for (const colour of colours) {
            if (chosen.every((other) => distance(colour, other) >= apart ** 2)) chosen.push(colour);
            if (chosen.length > most) break;
        }
        if (chosen.length <= most) return chosen;
    }
}

/** @param {number} colour */
const parts = (colour) => [colour >> 16, colour >> 8 & 255, colour & 255];

/**
 * Squared.
 *
 * @param {number} one
 * @param {number} other
 */
function distance(one, other) {
    return ((one >> 16) - (other >> 16)) ** 2 + ((one >> 8 & 255) - (other >> 8 & 255)) ** 2 + ((one & 255) - (other & 255)) ** 2;
}

/**
 * @param {number} colour
 * @param {number[]} palette
 */
function nearest(colour, palette) {
    const distances = palette.map((one) => distance(colour, one));
    return distances.indexOf(Math.min(...distances));
}

/**
 * @param {string} type
 * @param {Buffer} content
 */
function chunk(type, content) {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(content.length, 0);
    frame.set(body, 4);
    frame.writeUInt32BE(crc32(body), body.length + 4);
    return frame;
}

/**
 * The pixels of a PNG, by a browser.
 *
 * @param {import('./browser.mjs').Tab} tab
 * @param {Buffer} png
 * @returns {Promise<Uint8ClampedArray>}
 */
export async function pixelsOf(tab, png) {
    const text = await tab.call(async (address) => {
        const picture = await createImageBitmap(await (await fetch(address)).blob());
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
        canvas.drawImage(picture, 0, 0);
        const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
        let binary = '';
        for (let at = 0; at < data.length; at += 8192) binary += String.fromCharCode(...data.subarray(at, at + 8192));
        return btoa(binary);
    }, `data:image/png;base64,${png.toString('base64')}`);
    return new Uint8ClampedArray(Buffer.from(text, 'base64'));
}
