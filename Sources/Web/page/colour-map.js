/**
 * Where the map begins and ends in OKLCH (Ottosson, 2020). Lightness rises evenly, so that equal steps of level look equal, and the
 * picture still reads without colour; the hue turns from indigo over teal to yellow.
 */
const from = { lightness: 0.13, hue: 285 }, to = { lightness: 0.97, hue: 98 };
/** Greatest chroma, at the middle; what a screen cannot show is cut off. */
const chroma = 0.17;

/**
 * 256 colours for levels, from quiet to loud, as a canvas takes them.
 *
 * @returns {Uint32Array} each of the bytes red, green, blue, 255, the first at the lowest address
 */
export function colourMap() {
    const bytes = new Uint8ClampedArray(4 * 256);
    for (let step = 0; step < 256; step++) bytes.set(colour(step / 255), 4 * step);
    return new Uint32Array(bytes.buffer);
}

/**
 * @param {number} level 0 to 1
 * @returns {number[]} red, green, blue, opacity
 */
function colour(level) {
    const lightness = from.lightness + (to.lightness - from.lightness) * level;
    const hue = (from.hue + (to.hue - from.hue) * level) * Math.PI / 180;
    const strength = chroma * Math.sin(Math.PI * (0.18 + 0.72 * level));
    return [...standardRGB(lightness, strength * Math.cos(hue), strength * Math.sin(hue)).map((part) => 255 * part), 255];
}

/**
 * OKLab to sRGB, 0 to 1; matrices of the same source.
 *
 * @param {number} lightness
 * @param {number} a
 * @param {number} b
 */
function standardRGB(lightness, a, b) {
    const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
    return [
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    ].map((part) => part <= 0.0031308 ? 12.92 * Math.max(part, 0) : 1.055 * part ** (1 / 2.4) - 0.055);
}
