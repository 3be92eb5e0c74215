import { setTimeout as wait } from 'node:timers/promises';
import { lanes, type Noise } from './noise.ts';

export const CONNECTIONS = 60;
/** Then who takes nothing leaves, and comes again: else the account's six places would soon be all theirs. */
const STALLED_MS = 2_000;

/**
 * One plain user on the manual and the photo of a machine, 60 connections: a third takes them as fast as they come, a
 * third asks for their heads, a third begins and then takes nothing.
 */
export const files: Noise = async ({ port, cookie, serials: [serial] }, note) => {
  const ask = (path: string, more: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { ...more, headers: { cookie } });
  const [manual, photo] = await Promise.all(
    ['manual', 'img'].map(
      async (kind) => ((await (await ask(`/api/${kind}/${serial}`)).json()) as { url: string }).url,
    ),
  );
  if (!manual || !photo) return;
  lanes(CONNECTIONS / 3, async (lane, n) => {
    const answer = await ask((lane + n) % 2 ? photo : manual);
    note('bytes taken', (await answer.arrayBuffer()).byteLength);
  });
  lanes(CONNECTIONS / 3, async () => note(`HEAD ${(await ask(manual, { method: 'HEAD' })).status}`));
  lanes(CONNECTIONS / 3, async () => {
    const leaves = new AbortController();
    await ask(manual, { signal: leaves.signal });
    note('begun and not taken');
    await wait(STALLED_MS);
    leaves.abort();
  });
};
