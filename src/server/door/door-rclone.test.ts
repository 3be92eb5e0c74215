import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LOGGER } from './test/memory-backend.ts';
import { type RunningDoor, runDoor } from './test/running-door.ts';

const hasRclone = spawnSync('rclone', ['version'], { env: cleanEnvironment() }).status === 0;
const rcloneTest = test.skipIf(!hasRclone);
const skipped = hasRclone ? '' : ' (skipped: rclone is not installed)';

/** Without AWS_CA_BUNDLE, which Debian's rclone refuses to start with, and without anybody's own settings. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: tmpdir(), RCLONE_CONFIG: '/dev/null' };
}

let door: RunningDoor;
let directory: string;
beforeAll(async () => {
  // Its Content-MD5 is signed: it may come over plain http.
  door = await runDoor({}, undefined, { https: false });
  directory = await mkdtemp(join(tmpdir(), 'rclone-'));
  await mkdir(join(directory, '7'));
  await writeFile(join(directory, 'snapshot.json'), '{"RTC_UNIX":1763690000}');
  await writeFile(join(directory, '7', 'M0042 (1)_0000001_20251121_031500.log'), 'a'.repeat(300_000));
  await utimes(join(directory, 'snapshot.json'), 1763690000, 1763690000);
});
afterAll(async () => {
  await door.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  door.backend.deliveries.length = 0;
  door.backend.refusals.length = 0;
});

const run = promisify(execFile);

/** Runs rclone against the door as remote `door:`; fails with what it says. */
async function rclone(...args: string[]): Promise<string> {
  const env: NodeJS.ProcessEnv = {
    ...cleanEnvironment(),
    RCLONE_CONFIG_DOOR_TYPE: 's3',
    RCLONE_CONFIG_DOOR_PROVIDER: 'Other',
    RCLONE_CONFIG_DOOR_ENDPOINT: door.url,
    RCLONE_CONFIG_DOOR_ACCESS_KEY_ID: LOGGER.accessKey,
    RCLONE_CONFIG_DOOR_SECRET_ACCESS_KEY: LOGGER.secret,
    RCLONE_CONFIG_DOOR_REGION: 'eu-west-1',
  };
  const { stdout } = await run('rclone', ['--retries', '1', '--low-level-retries', '1', ...args], { env });
  return stdout;
}

const REMOTE = 'door:telemetry/BM_SN0000001';

rcloneTest(
  `INGEST-01 rclone copies a folder, and nothing when nothing changed${skipped}`,
  { timeout: 60_000 },
  async () => {
    await rclone('copy', directory, REMOTE);
    expect(door.backend.deliveries.map(({ key, kind, size }) => [key, kind, size]).sort()).toEqual([
      ['BM_SN0000001/7/M0042 (1)_0000001_20251121_031500.log', 'log', 300_000],
      ['BM_SN0000001/snapshot.json', 'document', 23],
    ]);
    expect(door.backend.deliveries.find(({ kind }) => kind === 'document')?.metadata).toEqual({
      mtime: '1763690000',
    });
    door.backend.deliveries.length = 0;

    await rclone('copy', directory, REMOTE);
    expect(door.backend.deliveries).toEqual([]);
    await rclone('check', directory, REMOTE);
    expect(door.backend.refusals).toEqual([]);
  },
);

rcloneTest(`INGEST-01 rclone lists and reads back${skipped}`, { timeout: 60_000 }, async () => {
  expect((await rclone('lsf', REMOTE)).split('\n').sort()).toEqual(['', '7/', 'snapshot.json']);
  expect(await rclone('lsf', '-R', '--files-only', 'door:telemetry')).toContain(
    'BM_SN0000001/7/M0042 (1)_0000001_20251121_031500.log\n',
  );
  expect(await rclone('lsd', 'door:')).toMatch(/ telemetry\n$/);
  expect(await rclone('cat', `${REMOTE}/snapshot.json`)).toBe('{"RTC_UNIX":1763690000}');
});

rcloneTest(`INGEST-01 rclone cannot delete, nor write elsewhere${skipped}`, { timeout: 60_000 }, async () => {
  await expect(rclone('deletefile', `${REMOTE}/snapshot.json`)).rejects.toThrow(/AccessDenied/);
  await expect(rclone('copy', directory, 'door:telemetry/BM_SN0000002')).rejects.toThrow(
    /Forbidden|AccessDenied/,
  );
  expect(door.backend.deliveries).toEqual([]);
});
