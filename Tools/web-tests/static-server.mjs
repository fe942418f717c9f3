import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
    '.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8',
    '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json',
    '.json': 'application/json',
};

/** What a page's server has to send, and no more: `nearby serve --web` sends the same. */
export const headers = {
    'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
        + "style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'permissions-policy': 'microphone=(self)',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
};

/**
 * Serves a folder on loopback, as any server of static files would.
 *
 * @param {string} folder
 * @param {Record<string, string>} [others] contents of files that are not there, by name
 * @returns {Promise<{ address: string, port: number, close(): Promise<void> }>}
 */
export async function serveFolder(folder, others = {}) {
    const server = createServer(async (request, response) => {
        const path = new URL(request.url, 'http://loopback').pathname;
        const name = normalize(path.endsWith('/') ? `${path}index.html` : path).slice(1);
        try {
            const content = others[name] ?? await readFile(join(folder, name));
            response.writeHead(200, { ...headers, 'content-type': types[extname(name)] ?? 'application/octet-stream' }).end(content);
        } catch (error) {
            if (!['ENOENT', 'EISDIR', 'ENOTDIR'].includes(error.code)) throw error;
            response.writeHead(404, headers).end('not here\n');
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    return {
        port, address: `http://127.0.0.1:${port}/`,
        close: () => new Promise((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
        }),
    };
}
