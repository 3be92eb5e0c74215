import { setTimeout as wait } from 'node:timers/promises';
import { type NoiseGenerator, repeatInParallel } from './noise.ts';

export const DOWNLOAD_CONNECTIONS = 60;
/** Time after which a client that reads nothing of its download disconnects. An account may have only six downloads at once. */
const STALLED_MS = 2_000;

/**
 * Requests the manual and the photo of a machine as one user without administrator rights over 60 connections: a third downloads as fast
 * as possible, a third requests only headers (HEAD), and a third begins a download and then reads nothing.
 */
export const downloadMachineFiles: NoiseGenerator = async ({ port, cookie, serials: [serial] }, note) => {
  const ask = (path: string, more: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { ...more, headers: { cookie } });
  const [manual, photo] = await Promise.all(
    ['manual', 'img'].map(
      async (kind) => ((await (await ask(`/api/${kind}/${serial}`)).json()) as { url: string }).url,
    ),
  );
  if (!manual || !photo) return;
  repeatInParallel(DOWNLOAD_CONNECTIONS / 3, async (lane, n) => {
    const answer = await ask((lane + n) % 2 ? photo : manual);
    note('bytes downloaded', (await answer.arrayBuffer()).byteLength);
  });
  repeatInParallel(DOWNLOAD_CONNECTIONS / 3, async () =>
    note(`HEAD ${(await ask(manual, { method: 'HEAD' })).status}`),
  );
  repeatInParallel(DOWNLOAD_CONNECTIONS / 3, async () => {
    const leaves = new AbortController();
    await ask(manual, { signal: leaves.signal });
    note('downloads not read');
    await wait(STALLED_MS);
    leaves.abort();
  });
};
