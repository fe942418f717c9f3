// A thread of its own for the probe: its analysis takes half a second.

import { Modem } from './modem.js';
import { Probe } from './probe.js';

/** @type {Probe} */
let probe;

onmessage = ({ data }) => {
    try {
        if (data.module) probe = new Probe(new Modem(data.module));
        if (data.soundingAt) postMessage({ sounding: probe.sounding(data.soundingAt) });
        if (data.recording) postMessage({ report: probe.analyse(data.recording, data.sampleRate) });
    } catch (error) {
        postMessage({ error: error instanceof Error ? error.message : String(error) });
    }
};
