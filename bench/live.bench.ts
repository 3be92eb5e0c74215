/**
 * GET /api/live with 10,000 machines (docs/design.md section 11): the portal's route with a session cookie, gzip,
 * closed loop over 32 keep-alive connections, while nothing changes. Reference: a Fastify route that serves the same
 * bytes from memory; and for a client that has the newest answer, one that says 304.
 */
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startBenchPortal } from './bench-portal.ts';
import type { LoadResult } from './load.ts';
import { startLoadClient } from './load-client.ts';
import { median } from './median.ts';
import { compare, inPairs, type Pair } from './pairs.ts';
import { startReference } from './reference.ts';
import { type Bench, type Row, whole } from './row.ts';

const MACHINES = 10_000;
const CONNECTIONS = 32;
const PAIRS = 5;
const SECONDS = 3;
/** What 10,000 open pages ask, each every 5 s and once between (docs/decisions/0052). */
const UNCHANGED_PER_SECOND = 4_000;

export const live: Bench = async (place) => {
  const portal = await startBenchPortal(place);
  place.say(`Making ${whole(MACHINES)} machines`);
  const loggers = await portal.machines(MACHINES);
  await portal.report(loggers, 0, Date.now());
  const cookie = await portal.signIn();

  const answer = await zippedAnswer(`${portal.address}/api/live`, cookie);
  const machines = Object.keys(JSON.parse(gunzipSync(answer.bytes).toString())).length;
  if (machines !== MACHINES) throw new Error(`The answer has ${machines} machines.`);
  const file = join(await place.folder(), 'live.json.gz');
  await writeFile(file, answer.bytes);
  const reference = await startReference(place, file);
  const client = startLoadClient(place);

  async function run(name: string, port: number, path: string, etag?: string): Promise<LoadResult> {
    const lines = [
      `GET ${path} HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      'accept-encoding: gzip',
      `cookie: ${cookie}`,
    ];
    if (etag !== undefined) lines.push(`if-none-match: ${etag}`);
    await client.take([`${lines.join('\r\n')}\r\n\r\n`]);
    const load = { port, connections: CONNECTIONS, seconds: SECONDS, once: false };
    const result = await client.run(etag === undefined ? 200 : 304, load);
    place.say(
      `${name}: ${whole(result.perSecond)}/s, p50 ${result.p50Ms.toFixed(1)} p99 ${result.p99Ms.toFixed(1)} ms`,
    );
    return result;
  }
  const referenceTag = (await zippedAnswer(`http://127.0.0.1:${reference.port}/live`, '')).etag;
  const bytes = {
    ours: () => run('portal', portal.port, '/api/live'),
    reference: () => run('reference', reference.port, '/live'),
  };
  const unchanged = {
    ours: () => run('portal, 304', portal.port, '/api/live', answer.etag),
    reference: () => run('reference, 304', reference.port, '/live', referenceTag),
  };
  for (const { ours, reference } of [bytes, unchanged]) {
    await ours();
    await reference();
  }
  const size = `${(answer.bytes.length / 1000).toFixed(0)} kB gzip`;
  return [
    rowOf(
      `GET /api/live, ${whole(MACHINES)} machines (${size})`,
      'same bytes from memory',
      { ratio: 0.8 },
      await inPairs(PAIRS, bytes.ours, bytes.reference),
    ),
    rowOf(
      'GET /api/live, 304',
      '304',
      { perSecond: UNCHANGED_PER_SECOND },
      await inPairs(PAIRS, unchanged.ours, unchanged.reference),
    ),
  ];
};

function rowOf(
  what: string,
  reference: string,
  reach: { readonly ratio: number } | { readonly perSecond: number },
  pairs: readonly Pair<LoadResult>[],
): Row {
  const { ours, reference: other, ratio, rounds } = compare(pairs, ({ perSecond }) => perSecond);
  const p99 = (side: 'ours' | 'reference') => median(pairs.map((pair) => pair[side].p99Ms)).toFixed(1);
  return {
    what,
    measured: `${whole(ours)}/s`,
    reference: `${whole(other)}/s ${reference}`,
    ratio,
    ...('ratio' in reach
      ? { reach: `>= ${reach.ratio} x`, reached: ratio >= reach.ratio }
      : { reach: `>= ${whole(reach.perSecond)}/s`, reached: ours >= reach.perSecond }),
    notes: [
      `pairs, requests per second: ${rounds}`,
      `median p99 ${p99('ours')} ms, reference ${p99('reference')} ms; client's own cores ${pairs.map((pair) => `${pair.ours.clientCores.toFixed(2)}/${pair.reference.clientCores.toFixed(2)}`).join('  ')}`,
    ],
  };
}

/** The answer as it goes over the line; fetch() would unpack it. */
function zippedAnswer(url: string, cookie: string): Promise<{ bytes: Buffer; etag: string }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie, 'accept-encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { etag = '', 'content-encoding': encoding } = response.headers;
        if (response.statusCode === 200 && encoding === 'gzip')
          resolve({ bytes: Buffer.concat(chunks), etag });
        else reject(new Error(`${url} answers ${response.statusCode}, ${encoding}.`));
      });
    }).on('error', reject);
  });
}
