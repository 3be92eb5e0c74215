/**
 * GET /api/live with 10,000 machines (docs/performance.md): the portal's route with a session cookie,
 * gzip, closed loop over 32 keep-alive connections, while nothing changes. Reference: a Fastify route that
 * serves the same bytes from memory; and, for a client that has the newest response, a route that returns 304.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startLoadClient } from './load-client.ts';
import { fetchGzipped, startBenchPortal } from './portal.ts';
import { nextMessage, startHelper } from './processes.ts';
import { type Bench, rateRow, wholeNumber } from './report.ts';
import { comparePairs, runInPairs } from './statistics.ts';

const MACHINES = Number(process.env.LIVE_MACHINES ?? 10_000);
const PAIRS = 5;
/** Requests per second of 10,000 open pages: each page sends two requests per 5 s (docs/decisions/0052). */
const UNCHANGED_PER_SECOND = 4_000;

export const liveDataBench: Bench = async (context) => {
  const portal = await startBenchPortal(context);
  context.log(`Making ${wholeNumber(MACHINES)} machines`);
  const loggers = await portal.machines(MACHINES);
  await portal.report(loggers, 0, Date.now());
  const cookie = await portal.signIn();
  const answer = await fetchGzipped(`${portal.address}/api/live`, cookie);
  const machines = Object.keys(JSON.parse(gunzipSync(answer.bytes).toString())).length;
  if (machines !== MACHINES) throw new Error(`The answer has ${machines} machines.`);
  const file = join(await context.folder(), 'live.json.gz');
  await writeFile(file, answer.bytes);
  const port = await nextMessage<number>(startHelper(context, './reference-server.ts', file));
  const referenceTag = (await fetchGzipped(`http://127.0.0.1:${port}/live`, '')).etag;
  const client = startLoadClient(context);

  const run = (at: number, path: string, etag?: string) => async (): Promise<number> => {
    const lines = [
      `GET ${path} HTTP/1.1`,
      `host: 127.0.0.1:${at}`,
      'accept-encoding: gzip',
      `cookie: ${cookie}`,
    ];
    if (etag !== undefined) lines.push(`if-none-match: ${etag}`);
    await client.take([`${lines.join('\r\n')}\r\n\r\n`]);
    const load = { port: at, connections: 32, seconds: 3, once: false };
    const { perSecond, p99Ms } = await client.closedLoop({ ...load, status: etag === undefined ? 200 : 304 });
    context.log(
      `${path}${etag === undefined ? '' : ', 304'}: ${wholeNumber(perSecond)}/s, p99 ${p99Ms.toFixed(1)} ms`,
    );
    return perSecond;
  };
  const bytes = [run(portal.port, '/api/live'), run(port, '/live')] as const;
  const unchanged = [run(portal.port, '/api/live', answer.etag), run(port, '/live', referenceTag)] as const;
  for (const warmUp of [...bytes, ...unchanged]) await warmUp();
  return [
    rateRow(
      `GET /api/live, ${wholeNumber(MACHINES)} machines (${wholeNumber(answer.bytes.length / 1000)} kB gzip)`,
      comparePairs(await runInPairs(PAIRS, ...bytes)),
      { unit: '/s', beside: 'for the same bytes from memory', leastRatio: 0.8 },
    ),
    rateRow(
      'GET /api/live, response 304 to unchanged data',
      comparePairs(await runInPairs(PAIRS, ...unchanged)),
      { unit: '/s', beside: 'for a 304 of the reference', least: UNCHANGED_PER_SECOND },
    ),
  ];
};
