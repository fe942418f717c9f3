// The modem of WebAssembly against the native one. Needs .build/web (Tools/web) and .build/c-library (Tools/c-library).

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Native } from './native.mjs';
import { site } from './places.mjs';
import { Random } from './random.mjs';

const { bytes, hex, Modem } = await import(pathToFileURL(`${site}/modem.js`).href);
/** All but the first are not built by `Tools/web --simd-only`. */
const names = ['modem.wasm', 'modem-scalar.wasm', 'modem-array.wasm'].filter((name, index) => index === 0 || existsSync(`${site}/${name}`));
const modules = names.map((name) => new WebAssembly.Module(readFileSync(`${site}/${name}`)));
const modem = new Modem(modules[0]);
const native = new Native();
const rate = 48_000;

/** As the native program tells it. */
const line = (heard) => `${hex(heard.token)} ${heard.profile} ${heard.startSeconds.toFixed(3)} ${heard.snrDecibels.toFixed(1)}`;
const tokens = (lines) => lines.map((text) => text.split(' ')[0]).sort();
const energy = (samples) => samples.reduce((sum, sample) => sum + sample * sample, 0);

/** Heard in one go, as lines. */
function hear(module, profile, ...channels) {
    const receiver = new Modem(module).receiver({ profiles: [profile], sampleRate: rate, channelCount: channels.length });
    const heard = [...receiver.push(...channels), ...receiver.finish()];
    receiver.close();
    return heard.map(line);
}

/** Frames each with a second of pause, at this Eb/N0 of white noise, each channel's own; `arrive` adds a frame to the sound. */
function sound(profile, count, ebN0Decibels, seed, arrive, channelCount = 1) {
    const random = new Random(seed);
    const sent = Array.from({ length: count }, () => random.token());
    const length = modem.encode(sent[0], { profile, sampleRate: rate }).length;
    const samples = new Float32Array(count * (length + rate) + rate);
    let total = 0;
    sent.forEach((token, index) => {
        const frame = modem.encode(token, { profile, sampleRate: rate });
        total += energy(frame);
        arrive(frame, samples, index * (length + rate) + Math.floor(0.9 * rate * random.uniform()), random);
    });
    // N0 = 2 σ², and 64 bits share a frame's energy.
    const deviation = Math.sqrt(total / count / 64 / 2 / 10 ** (ebN0Decibels / 10));
    const channels = Array.from({ length: channelCount }, () => samples.slice());
    for (const channel of channels) random.addNoise(channel, deviation);
    return { samples: channels[0], channels, sent: sent.map(hex) };
}

const straight = (frame, samples, at) => frame.forEach((sample, index) => { samples[at + index] += sample; });

/** Sixty echoes of random signs, their power falling by 60 dB in 0.4 s, together as strong as the direct path. */
function reverberant(frame, samples, at, random) {
    straight(frame, samples, at);
    const echoes = Array.from({ length: 60 }, () => {
        const delay = 0.2 * random.uniform();
        return { delay: Math.floor(delay * rate), gain: 10 ** (-3 * delay / 0.4) * (random.uniform() < 0.5 ? -1 : 1) };
    });
    const scale = 1 / Math.sqrt(echoes.reduce((sum, { gain }) => sum + gain * gain, 0));
    for (const { delay, gain } of echoes) {
        frame.forEach((sample, index) => { samples[at + delay + index] += scale * gain * sample; });
    }
}

test('the modules import nothing, and are as small as is promised', () => {
    for (const module of modules) assert.deepEqual(WebAssembly.Module.imports(module), []);
    const size = statSync(`${site}/modem.wasm.br`).size;
    assert.ok(size <= 330_000, `${size} bytes`);
});

test('every profile is encoded bit for bit as natively', () => {
    let compared = 0;
    for (const { name, minSampleRateHz } of modem.profiles) {
        for (const sampleRate of [44_100, 48_000].filter((rate) => rate >= minSampleRateHz)) {
            const expected = native.encode(name, sampleRate, '0102030405060708');
            for (const module of modules) {
                const samples = new Modem(module).encode('0102030405060708', { profile: name, sampleRate });
                assert.ok(expected.equals(Buffer.from(samples.buffer)), `${name} at ${sampleRate} Hz`);
                compared += 1;
            }
        }
    }
    assert.equal(compared, 2 * modules.length * modem.profiles.length);
});

/** Of the frames that the figures are of: a fifth, or with WHOLE=1 all. */
const share = process.env.WHOLE === '1' ? 1 : 0.2;
for (const [name, profile, wholeCount, ebN0Decibels, arrive, leastShare] of [
    ['in white noise at the threshold', 'dsss', 300, 2.83, straight, 0.8],
    ['in rooms', 'dsss', 100, 8, reverberant, 0.6],
    ['of tones, in white noise', 'fsk', 20, 6, straight, 0.75],
]) {
    const count = share * wholeCount;
    test(`${count} frames ${name} are heard as natively`, (t) => {
        const { samples, sent } = sound(profile, count, ebN0Decibels, 7, arrive);
        const expected = native.hear(profile, rate, samples);
        for (const module of modules) {
            const heard = hear(module, profile, samples);
            assert.deepEqual(tokens(heard), tokens(expected));
            // Times and levels too, but for the last digit of what is rounded otherwise.
            const unlike = heard.filter((text) => !expected.includes(text)).length;
            t.diagnostic(`${heard.length} of ${count} heard, ${unlike} with another last digit`);
        }
        const wrong = tokens(expected).filter((token) => !sent.includes(token));
        assert.deepEqual(wrong, []);
        assert.equal(new Set(tokens(expected)).size, expected.length, 'each is told once');
        assert.ok(expected.length >= leastShare * count, `${expected.length}`);
    });
}

const arrayModule = modules[names.indexOf('modem-array.wasm')];
const needsArray = { skip: !arrayModule && 'modem-array.wasm is not there: Tools/web builds it without --simd-only' };

test('two microphones hear together what one of them does not', needsArray, (t) => {
    // Two hear 99 % of the frames at 1 dB each, and one 18 %: of 20, all but four and more than nine are one time in a thousand or less.
    const { channels, sent } = sound('dsss', 20, 1, 3, straight, 2);
    const together = hear(arrayModule, 'dsss', ...channels), alone = hear(arrayModule, 'dsss', channels[0]);
    t.diagnostic(`${together.length} of 20 heard together, ${alone.length} alone`);
    assert.deepEqual(tokens(together).filter((token) => !sent.includes(token)), []);
    assert.ok(together.length >= 17, `${together.length}`);
    assert.ok(alone.length <= 9, `${alone.length}`);
});

test('a frame is told once, by the channel that heard it best, and chunks of any size give the same', needsArray, () => {
    const { samples } = sound('dsss', 2, 20, 4, straight);
    const array = new Modem(arrayModule), quiet = samples.map((sample) => sample / 10);
    new Random(5).addNoise(quiet, 0.02);
    const heardIn = (chunk) => {
        const receiver = array.receiver({ profiles: ['dsss'], sampleRate: rate, channelCount: 3 });
        const heard = [];
        for (let at = 0; at < samples.length; at += chunk) {
            heard.push(...receiver.push(...[quiet, samples, quiet].map((channel) => channel.subarray(at, at + chunk))));
        }
        heard.push(...receiver.finish());
        receiver.close();
        return heard.map((one) => `${one.channel} ${line(one)}`);
    };
    const whole = heardIn(samples.length);
    assert.equal(whole.length, 2);
    for (const heard of whole) assert.match(heard, /^1 /);
    assert.deepEqual(heardIn(2048), whole);
    assert.deepEqual(heardIn(777), whole);
});

test('channels that a module does not hear, and uneven ones, are refused', () => {
    assert.throws(() => modem.receiver({ sampleRate: rate, channelCount: 2 }), /expected 1 to 1 channels, not 2; modem-array.wasm hears several/);
    for (const channelCount of [0, 1.5, -1, NaN, '1']) assert.throws(() => modem.receiver({ sampleRate: rate, channelCount }), RangeError);
    const receiver = modem.receiver({ sampleRate: rate });
    const block = new Float32Array(100);
    assert.throws(() => receiver.push(block, block), /expected 1 channels of one length, not 100,100/);
    assert.throws(() => receiver.push(), RangeError);
    assert.deepEqual(receiver.push(block), []);
    if (!arrayModule) return;
    const array = new Modem(arrayModule);
    assert.equal(array.mostChannels, 8);
    assert.throws(() => array.receiver({ sampleRate: rate, channelCount: 9 }), /expected 1 to 8 channels, not 9/);
    assert.throws(() => array.receiver({ sampleRate: rate, channelCount: 2 }).push(block, new Float32Array(99)), /not 100,99/);
});

test('what cannot be encoded or heard is said in one line', () => {
    const refused = (body, words) => assert.throws(body, (error) => error instanceof RangeError && words.test(error.message));
    refused(() => modem.encode('01', { sampleRate: 8000 }), /dsss needs 42000 Hz or more, not 8000/);
    refused(() => modem.encode('0x', { sampleRate: rate }), /hex digits, not '0x'/);
    refused(() => modem.encode(new Uint8Array(33), { sampleRate: rate }), /1 to 32 bytes, not 33/);
    refused(() => modem.encode(new Uint8Array(0), { sampleRate: rate }), /1 to 32 bytes, not 0/);
    refused(() => modem.encode('01', { sampleRate: rate, lane: 4 }), /lane of 0 to 3, not 4/);
    refused(() => modem.receiver({ profiles: ['dss'], sampleRate: rate }), /no profile 'dss'; expected one of dsss/);
    refused(() => modem.receiver({ profiles: [], sampleRate: rate }), /expected a profile/);
    refused(() => modem.receiver({ sampleRate: 44_100.5 }), /sample rate of 8000 to 384000 Hz/);
    const receiver = modem.receiver({ sampleRate: rate });
    refused(() => receiver.skip(-1), /count of samples, not -1/);
    receiver.close();
    assert.throws(() => receiver.push(new Float32Array(1)), TypeError);
});

test('pieces of any size give what one piece gives, and what is no number is silence', () => {
    const frame = modem.encode(bytes('0102030405060708'), { sampleRate: rate });
    const samples = new Float32Array(4 * rate).fill(NaN, 0, 1000);
    straight(frame, samples, rate);
    const receiver = modem.receiver({ sampleRate: rate });
    const heard = [];
    for (let first = 0, size = 1; first < samples.length; first += size, size = size * 3 % 6007) {
        heard.push(...receiver.push(samples.subarray(first, first + size)));
    }
    heard.push(...receiver.finish());
    receiver.close();
    assert.deepEqual(heard.map(line), hear(modules[0], 'dsss', samples));
    assert.equal(heard.length, 1);
});
