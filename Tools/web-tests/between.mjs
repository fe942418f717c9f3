import { createServer, request } from 'node:http';

/**
 * What lies between a page and its server, as a proxy does, and answers in its place while it has a `fault`.
 */
export class Between {
    /** @type {((asked: import('node:http').IncomingMessage, answer: import('node:http').ServerResponse) => void) | undefined} */
    fault;
    /** Paths of requests that were answered by the fault. */
    hit = [];

    /** @param {string} server address */
    static async start(server) {
        const between = new Between();
        between.server = createServer((asked, answer) => {
            if (between.fault) {
                between.hit.push(asked.url);
                return between.fault(asked, answer);
            }
            const onward = request(server + asked.url, { method: asked.method, headers: asked.headers }, (came) => {
                answer.writeHead(came.statusCode, came.headers);
                came.pipe(answer);
                answer.once('close', () => came.destroy());
            });
            onward.once('error', () => answer.destroy());
            asked.pipe(onward);
        }).listen(0, '127.0.0.1');
        await new Promise((resolve) => between.server.once('listening', resolve));
        between.address = `http://127.0.0.1:${between.server.address().port}`;
        return between;
    }

    /** Ends all that is under way, streams of events too. */
    cut() { this.server.closeAllConnections(); }

    async close() {
        const closed = new Promise((resolve) => this.server.close(resolve));
        this.cut();
        await closed;
    }
}
