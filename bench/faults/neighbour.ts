/** Noisy neighbours: while one tenant does its worst, the person and the logger of another tenant notice nothing. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#server/machine-files/machine-files.store.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { createKey } from '#server/writers/keys.store.ts';
import { createWriter } from '#server/writers/writers.store.ts';
import type { FaultPortal } from './fault-portal.ts';
import { type NeighbourFault, neighbourFault } from './neighbour-fault.ts';
import { DOWNLOAD_CONNECTIONS } from './noise/files.ts';
import { UNFINISHED_UPLOADS } from './noise/held-uploads.ts';
import { JUNK_MIB } from './noise/junk-logs.ts';
import { signInFirst } from './person.ts';
import type { Tenant } from './tenant.ts';

const MANUAL = Buffer.alloc(12 * 1024 ** 2, 'A page of the manual. ');
const PHOTO = Buffer.alloc(300_000, 'A photo. ');

const giveFiles = (portal: FaultPortal, { serials: [serial = ''] }: Tenant) =>
  portal.withDatabase(async ({ pool }) => {
    const actor = { email: 'baas@werkstroom.example' };
    const file = { name: 'x', contentType: 'application/x' };
    await replaceFile(pool, actor, serial, 'manual', { ...file, body: MANUAL });
    await replaceFile(pool, actor, serial, 'photo', { ...file, body: PHOTO });
    return {};
  });

async function asAdministrator(portal: FaultPortal): Promise<{ cookie: string }> {
  const [email = '', password = ''] = (await readFile(join(portal.dataDir, 'first-admin.txt'), 'utf8')).split(
    '\n',
  );
  return { cookie: await signInFirst(portal, email, password) };
}

/** Moves the first machine's logger to the second machine, and makes a new key for the logger. */
const moveLogger = (portal: FaultPortal, { loggers: [from, to] }: Tenant) =>
  portal.withDatabase(async ({ pool }) => {
    if (!from || !to) return {};
    const { loggerSerial } = from;
    const { streamId } = to;
    const writerId = await createWriter(pool, { streamId, loggerSerial, at: new Date() });
    const key = await createKey(pool, await openSecrets(undefined, portal.dataDir), writerId);
    return { loggers: [{ loggerSerial, streamId, ...key }] };
  });

const NEIGHBOURS: readonly NeighbourFault[] = [
  {
    name: 'manuals and photos',
    done: `12.B1: one user opens ${DOWNLOAD_CONNECTIONS} connections for a manual of 12 MB and a photo: a third download as fast as possible, a third send HEAD requests, a third begin a download, read nothing and connect again`,
    noise: 'files',
    machines: 1,
    prepare: giveFiles,
    loud: { 'HEAD 200': 20, 'bytes downloaded': 10_000_000, 'downloads not read': 6 },
  },
  {
    name: 'junk logs',
    done: `12.B2: with one key files of ${JUNK_MIB} MiB that are no logs are uploaded, 8 at a time`,
    noise: 'junkLogs',
    machines: 1,
    loud: { 200: 3, 503: 20 },
  },
  {
    name: 'held uploads',
    done: `12.B3: 20 loggers have ${UNFINISHED_UPLOADS} uploads open, which declare one byte, send nearly 1 MiB and never end; a refused upload is opened again`,
    noise: 'heldUploads',
    machines: 20,
    loud: { opened: UNFINISHED_UPLOADS, 400: UNFINISHED_UPLOADS },
  },
  {
    name: 'gzip bombs and log files',
    done: '12.B4: two loggers upload gzip bombs of 306 kB that unpack to 300 MB, and two upload recorded drives of 200,000 frames, each logger two files at a time',
    noise: 'bombs',
    machines: 4,
    loud: { 'drive 200': 2 },
  },
  {
    name: 'DBC files of the largest size',
    done: '12.B5: an administrator uploads DBC files of 4 MiB again and again, four at a time: two with many messages, and two with all signals in one message, which take longest to parse',
    noise: 'largeDbc',
    machines: 4,
    prepare: asAdministrator,
    loud: { 'many messages 200': 1 },
  },
  {
    name: 'the past of a moved logger',
    done: '12.B6: a logger that was moved to another machine uploads readings from its time on the previous one, newest first: 12 snapshots at a time, and 2 log files of 2,000 readings at a time',
    noise: 'past',
    machines: 2,
    prepare: moveLogger,
    loud: { 'snapshot 200': 200, 'log 200': 2 },
  },
  {
    name: 'an .rxd of 100 MB',
    done: '43.15: one logger uploads an .rxd of 1 MB, and then one of 100 MB',
    noise: 'largeRxd',
    machines: 1,
    loud: { 200: 2 },
    mostGrowthMib: 64,
  },
];

export const noisyNeighbourFaults = NEIGHBOURS.map(neighbourFault);
