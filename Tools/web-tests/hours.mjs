// usage: node Tools/web-tests/hours.mjs [HOURS]      (30)
// White noise for so many hours, heard by the modem of WebAssembly, and a frame at the end of each: how often it is faster than real
// time, how long the longest push of 0.1 s takes, what memory it takes halfway and at the end, and whether each frame is heard, at its
// time. Exits with 1 if not, or if memory grew. MODULE=modem-scalar.wasm takes the other module.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { site } from './places.mjs';
import { Random } from './random.mjs';

const { Modem } = await import(pathToFileURL(`${site}/modem.js`).href);
const hours = Number(process.argv[2] ?? 30), rate = 48_000;
const module = new WebAssembly.Module(readFileSync(`${site}/${process.env.MODULE ?? 'modem.wasm'}`));
const instance = new WebAssembly.Instance(module, {});
const { memory } = instance.exports;
const modem = new Modem(module, instance);
const receiver = modem.receiver({ profiles: ['dsss'], sampleRate: rate });

/** A minute of noise, and the same with a frame whose level is the noise's. */
const quiet = new Float32Array(60 * rate);
new Random(1).addNoise(quiet, 0.1);
const frame = modem.encode('0102030405060708', { sampleRate: rate });
const loud = quiet.map((sample, index) => sample + (frame[index - 30 * rate] ?? 0) * 0.2);

let longest = 0;
/** A minute's sound, in pushes of 0.1 s. */
function hear(sound) {
    const heard = [];
    for (let first = 0; first < sound.length; first += rate / 10) {
        const began = performance.now();
        heard.push(...receiver.push(sound.subarray(first, first + rate / 10)));
        longest = Math.max(longest, performance.now() - began);
    }
    return heard;
}

const began = process.cpuUsage(), sizes = [];
let isRight = true, wrong = 0;
for (let hour = 0; hour < hours; hour++) {
    for (let minute = 0; minute < 60; minute++) {
        const heard = hear(minute === 59 ? loud : quiet);
        if (minute < 59) wrong += heard.length;
        else isRight &&= heard.length === 1 && Math.abs(heard[0].startSeconds - (hour * 3600 + 59 * 60 + 30)) < 0.001;
    }
    sizes.push(memory.buffer.byteLength);
}
const used = process.cpuUsage(began);
console.log(`${hours} h at ${Math.round(hours * 3600e6 / (used.user + used.system))} × real time, of the processor's`);
console.log(`the longest push ${longest.toFixed(1)} ms`);
const halfway = sizes[Math.floor(hours / 2)];
console.log(`memory ${(halfway / 2 ** 20).toFixed(1)} MiB halfway, ${(sizes.at(-1) / 2 ** 20).toFixed(1)} MiB at the end`);
console.log(isRight && wrong === 0 ? 'each frame heard at its time, nothing else' : `wrong: ${wrong} tokens of noise, frames ${isRight}`);
process.exit(isRight && wrong === 0 && halfway === sizes.at(-1) ? 0 : 1);
