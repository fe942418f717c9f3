// What browsers and newer Node.js have, for Debian 12's Node.js 18. Tools/check-web has every test begin with it.
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
globalThis.CustomEvent ??= class extends Event {
    constructor(type, options = {}) {
        super(type, options);
        this.detail = options.detail ?? null;
    }
};
