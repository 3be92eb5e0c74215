import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '#server/test/running-portal.ts';
import type { Signals } from '#shared/domain/signal.ts';
import type { Workplace } from './workplace.ts';

/** Debian's `influxdb` (1.6) with the settings of its package, on loopback, with folders of its own. */
export type Influx = {
  readonly port: number;
  pid(): number;
  /** Creates a database. */
  create(database: string): Promise<void>;
  /** Resolves when the lines (lineOf, ms) are on the disk: it waits for its log's fsync. */
  write(database: string, lines: string): Promise<void>;
  /** @returns its answer as it came: JSON that `rowsOf` reads */
  ask(database: string, influxql: string): Promise<string>;
  /**
   * Waits until nothing is left in memory only and each shard (a week) is one file, which is after hours without
   * writes; so it is started again with these hours as a second.
   * @returns bytes of these files on the disk
   */
  settle(): Promise<number>;
};

const COLD_SOON = {
  INFLUXDB_DATA_CACHE_SNAPSHOT_WRITE_COLD_DURATION: '1s',
  INFLUXDB_DATA_COMPACT_FULL_WRITE_COLD_DURATION: '1s',
};
const SERVES_WITHIN_MS = 60_000;

/** Started, and stopped with the workplace. @returns undefined where there is none */
export async function startInflux(place: Workplace): Promise<Influx | undefined> {
  const folder = await place.folder();
  const [port, otherPort] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${port}`;
  const settings = {
    INFLUXDB_REPORTING_DISABLED: 'true',
    INFLUXDB_BIND_ADDRESS: `127.0.0.1:${otherPort}`,
    INFLUXDB_HTTP_BIND_ADDRESS: `127.0.0.1:${port}`,
    INFLUXDB_HTTP_LOG_ENABLED: 'false',
    INFLUXDB_LOGGING_LEVEL: 'error',
    // What it would store about itself is none of the readings.
    INFLUXDB_MONITOR_STORE_ENABLED: 'false',
    INFLUXDB_META_DIR: join(folder, 'meta'),
    INFLUXDB_DATA_DIR: join(folder, 'data'),
    INFLUXDB_DATA_WAL_DIR: join(folder, 'wal'),
  };

  async function start(besides: Record<string, string> = {}) {
    const child = spawn('influxd', ['run', '-config', '/dev/null'], {
      env: { PATH: process.env.PATH, ...settings, ...besides },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await once(child, 'spawn');
    const exited = once(child, 'exit');
    const end = async () => {
      child.kill('SIGTERM');
      await exited;
    };
    const deadline = performance.now() + SERVES_WITHIN_MS;
    while (performance.now() < deadline && child.exitCode === null) {
      if (await fetch(`${address}/ping`).catch(() => undefined)) return { pid: child.pid as number, end };
      await wait(50);
    }
    await end();
    throw new Error(`influxd does not serve:\n${said}`);
  }

  let server = await start().catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!server) return undefined;
  place.onClose(async () => server?.end());

  async function send(path: string, body?: string): Promise<string> {
    const answer = await fetch(`${address}${path}`, body === undefined ? {} : { method: 'POST', body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`influxd: ${answer.status} ${text}`);
    return text;
  }

  return {
    port,
    pid: () => server?.pid ?? 0,
    create: async (database) =>
      void (await send(`/query?${new URLSearchParams({ q: `create database "${database}"` })}`, '')),
    write: async (database, lines) => void (await send(`/write?db=${database}&precision=ms`, lines)),
    ask: (database, q) => send(`/query?${new URLSearchParams({ db: database, epoch: 'ms', q })}`),
    async settle() {
      await server?.end();
      server = await start(COLD_SOON);
      for (;;) {
        const files = await filesIn(settings.INFLUXDB_DATA_DIR);
        const isWhole = holdsNothing(JSON.parse(await send('/debug/vars'))) && isCompact(files);
        if (isWhole) return files.reduce((sum, { bytes }) => sum + bytes, 0);
        await wait(200);
      }
    },
  };
}

/** The rows of an answer's one series, the time first. @throws what it says is wrong; for an answer without rows */
export function rowsOf(answer: string): readonly (readonly (number | null)[])[] {
  const [result] = JSON.parse(answer).results;
  const rows = result.series?.[0].values;
  if (!rows) throw new Error(`influxd: ${result.error ?? 'no rows'}`);
  return rows;
}

/**
 * A reading in line protocol, with the serial as its tag and each signal as a field.
 * @param serial without a backslash at its end or a line break: the protocol has no way to say these
 */
export function lineOf(serial: string, signals: Signals, time: number): string {
  const fields = Object.entries(signals).map(([name, value]) => `${escaped(name)}=${value}`);
  return `reading,serial=${escaped(serial)} ${fields.join(',')} ${time}`;
}

/** Of a tag's value or a field's name. */
const escaped = (text: string): string => text.replaceAll(/[,= ]/g, '\\$&');

type File = { readonly folder: string; readonly name: string; readonly bytes: number };

async function filesIn(folder: string): Promise<File[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        // One that it removed meanwhile takes no room.
        const { blocks } = await stat(join(parentPath, name)).catch(() => ({ blocks: 0 }));
        // stat(2) counts in 512 bytes; some of its files have holes.
        return { folder: parentPath, name, bytes: blocks * 512 };
      }),
  );
}

/** By what it tells of itself, each shard's cache is on the disk. */
const holdsNothing = (told: Record<string, { name?: string; values?: Record<string, number> }>): boolean =>
  Object.values(told).every(
    ({ name, values }) => name !== 'tsm1_cache' || (values?.memBytes === 0 && values.diskBytes === 0),
  );

function isCompact(files: readonly File[]): boolean {
  const shards = files.filter(({ name }) => name.endsWith('.tsm')).map(({ folder }) => folder);
  return new Set(shards).size === shards.length && !files.some(({ name }) => name.endsWith('.tmp'));
}
