/**
 * 20,000 requests made from the portal's own OpenAPI document (src/server/test/security/fuzz), good and bad, as nobody, a
 * user, a logger user and an administrator, 8 at a time, to the portal as a process of its own. What is counted is
 * what may not be: a 5xx, a hang, a leak, memory that grows, files and connections that stay open, a word in its log.
 * FUZZ_SEED repeats a run.
 */
import { readdir, readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/open-database.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { freePort, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { busyConnections, fuzz as campaign, seedFrom } from '#server/test/security/fuzz/campaign.ts';
import { WEBHOOK_URL } from '#server/test/security/fuzz/names.ts';
import { type Bench, whole } from './row.ts';

const REQUESTS = 20_000;
const CONNECTIONS = 8;
/** Caches fill and code is compiled until then. */
const WARM = 4_000;
/** What a process of this size may have grown by afterwards, MiB. */
const MOST_GROWTH_MIB = 128;
const MIB = 1024 * 1024;

export const fuzz: Bench = async (place) => {
  const dataDir = await place.folder();
  const port = await freePort();
  const noTiles = 'http://127.0.0.1:9/{z}/{x}/{y}.png';
  const portal = startPortal(dataDir, port, {
    LOG_LEVEL: 'warn',
    TRUST_PROXY: 'on',
    OUTBOUND_ALLOW_WEBHOOKS: WEBHOOK_URL,
    STREET_TILES_URL: noTiles,
    SATELLITE_TILES_URL: noTiles,
  });
  place.onClose(() => portal.end('SIGTERM'));
  await untilHealthy(portal);
  // Its rows are made with ids in order, which only the owner of the tables may ask for.
  const { owner: pool, close } = await openDatabase(
    readConfig({ DATA_DIR: dataDir }),
    pino({ level: 'silent' }),
  );
  place.onClose(close);
  const secrets = await openSecrets(undefined, dataDir);
  const pid = portal.process.pid as number;
  const said = portal.output().length;

  const seed = seedFrom(process.env.FUZZ_SEED);
  place.say(`FUZZ_SEED=${seed}`);
  const filesBefore = await openFiles(pid);
  let warm = 0;
  const outcome = await campaign(
    { address: portal.address, pool, secrets },
    {
      seed,
      requests: REQUESTS,
      connections: CONNECTIONS,
      publicUrl: `http://localhost:${port}`,
      async progress(done) {
        if (done % 2_000 !== 0) return;
        const memory = await residentBytes(pid);
        if (done === WARM) warm = memory;
        place.say(`${whole(done)} requests, ${whole(memory / MIB)} MiB`);
      },
    },
  );
  const growthMib = ((await residentBytes(pid)) - warm) / MIB;
  // Idle connections are kept for a while by both sides.
  await settled(
    async () => (await openFiles(pid)) <= filesBefore + CONNECTIONS && (await busyConnections(pool)) === 0,
  );
  const filesAfter = await openFiles(pid);
  const busy = await busyConnections(pool);
  const words = portal.output().slice(said);
  const answers = [...outcome.statuses].sort(([a], [b]) => a - b);
  const failures = answers.filter(([status]) => status >= 500).reduce((sum, [, count]) => sum + count, 0);

  return [
    {
      what: `fuzzing from the OpenAPI document, ${whole(REQUESTS)} requests`,
      measured: `${failures} 5xx, ${outcome.faults.length} faults, ${whole(REQUESTS / outcome.seconds)}/s, slowest ${whole(outcome.slowest.ms)} ms, memory ${growthMib >= 0 ? '+' : ''}${growthMib.toFixed(0)} MiB`,
      reach: `0 faults; <= +${MOST_GROWTH_MIB} MiB; handles back`,
      reached:
        outcome.faults.length === 0 &&
        words === '' &&
        growthMib <= MOST_GROWTH_MIB &&
        filesAfter <= filesBefore + CONNECTIONS &&
        busy === 0,
      notes: [
        `FUZZ_SEED=${seed}; answers: ${answers.map(([status, count]) => `${status} ${whole(count)}`).join(', ')}`,
        `${outcome.succeeded.size} of ${outcome.operations.length} operations did what was asked at least once`,
        `open files and sockets ${filesBefore} before, ${filesAfter} after; ${busy} database connections busy; resident memory from request ${whole(WARM)} to the end`,
        `slowest: ${outcome.slowest.request.split('\n', 1)[0]?.slice(0, 200)}`,
        ...(words === '' ? [] : [`it said: ${words.slice(0, 1_000)}`]),
        ...outcome.faults.slice(0, 20),
      ],
    },
  ];
};

/** 0 where there is no /proc. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

const openFiles = async (pid: number): Promise<number> =>
  (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;

/** Waits until it is so, at most 10 s. */
async function settled(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline && !(await isSo())) await new Promise((again) => setTimeout(again, 200));
}
