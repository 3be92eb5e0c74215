import { Agent, get } from 'node:http';

/** One page that is open in a browser: asks for live data with the tag of the newest answer that it has. */
export type LivePage = {
  /**
   * One poll, to the last byte of its answer.
   * @returns 200 or 304
   * @throws for any other status, and when the connection ends
   */
  poll(): Promise<number>;
};

export type LivePages = {
  readonly pages: readonly LivePage[];
  /** How many polls were asked again, because the server ended their kept connection at that moment. */
  reconnects(): number;
  close(): void;
};

/**
 * Pages as browsers have them: keep-alive, asked again over a new connection where a kept one turns out to be ended
 * (RFC 9110, 9.2.2), gzip; the answer stays packed, to unpack it is the browser's work.
 * @param url of the live data
 */
export function openLivePages(url: string, cookie: string, count: number): LivePages {
  const agent = new Agent({ keepAlive: true });
  let reconnects = 0;
  const pages = Array.from({ length: count }, (): LivePage => {
    let etag: string | undefined;
    const ask = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = {
          cookie,
          'accept-encoding': 'gzip',
          'sec-fetch-site': 'same-origin',
          ...(etag !== undefined && { 'if-none-match': etag }),
        };
        const asked = get(url, { agent, headers }, (response) => {
          const { statusCode = 0 } = response;
          response.on('error', reject);
          response.on('end', () => {
            if (statusCode !== 200 && statusCode !== 304) return reject(new Error(`status ${statusCode}`));
            etag = response.headers.etag;
            resolve(statusCode);
          });
          response.resume();
        });
        asked.on('error', (error: NodeJS.ErrnoException) => {
          if (!asked.reusedSocket || error.code !== 'ECONNRESET') return reject(error);
          reconnects += 1;
          resolve(ask());
        });
      });
    return { poll: ask };
  });
  return { pages, reconnects: () => reconnects, close: () => agent.destroy() };
}
