/**
 * Mean power of a band's bins; 0 where no bin is in it.
 *
 * @param {Float32Array} spectrum in decibels, as an AnalyserNode gives it
 * @param {number} hertzPerBin
 * @param {number} lowHz
 * @param {number} highHz
 */
export function bandPower(spectrum, hertzPerBin, lowHz, highHz) {
    const bins = spectrum.subarray(Math.ceil(lowHz / hertzPerBin), Math.floor(highHz / hertzPerBin));
    return bins.reduce((sum, decibels) => sum + 10 ** (decibels / 10), 0) / Math.max(bins.length, 1);
}
