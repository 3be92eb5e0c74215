import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LOGGER_CREDENTIAL } from './test/memory-backend.ts';
import { type RunningEndpoint, runUploadEndpoint } from './test/running-endpoint.ts';
import { hasRclone, RCLONE_SKIP_SUFFIX, runRclone } from './test/s3-clients.ts';

const rcloneTest = test.skipIf(!hasRclone);

let endpoint: RunningEndpoint;
let directory: string;
beforeAll(async () => {
  // The endpoint is reached over plain http, which rclone may use because it signs Content-MD5.
  endpoint = await runUploadEndpoint({}, undefined, { https: false });
  directory = await mkdtemp(join(tmpdir(), 'rclone-'));
  await mkdir(join(directory, '7'));
  await writeFile(join(directory, 'snapshot.json'), '{"RTC_UNIX":1763690000}');
  await writeFile(join(directory, '7', 'M0042 (1)_0000001_20251121_031500.log'), 'a'.repeat(300_000));
  await utimes(join(directory, 'snapshot.json'), 1763690000, 1763690000);
});
afterAll(async () => {
  await endpoint.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  endpoint.backend.deliveries.length = 0;
  endpoint.backend.refusals.length = 0;
});

const rclone = (...args: string[]): Promise<string> => runRclone(endpoint.url, LOGGER_CREDENTIAL, ...args);

const REMOTE = 'portal:telemetry/BM_SN0000001';

rcloneTest(
  `rclone copies a folder, and nothing when nothing changed${RCLONE_SKIP_SUFFIX} (INGEST-01)`,
  { timeout: 60_000 },
  async () => {
    await rclone('copy', directory, REMOTE);
    expect(endpoint.backend.deliveries.map(({ key, kind, size }) => [key, kind, size]).sort()).toEqual([
      ['BM_SN0000001/7/M0042 (1)_0000001_20251121_031500.log', 'log', 300_000],
      ['BM_SN0000001/snapshot.json', 'document', 23],
    ]);
    expect(endpoint.backend.deliveries.find(({ kind }) => kind === 'document')?.metadata).toEqual({
      mtime: '1763690000',
    });
    endpoint.backend.deliveries.length = 0;

    await rclone('copy', directory, REMOTE);
    expect(endpoint.backend.deliveries).toEqual([]);
    await rclone('check', directory, REMOTE);
    expect(endpoint.backend.refusals).toEqual([]);
  },
);

rcloneTest(
  `rclone lists the objects that it uploaded${RCLONE_SKIP_SUFFIX} (INGEST-01)`,
  { timeout: 60_000 },
  async () => {
    expect((await rclone('lsf', REMOTE)).split('\n').sort()).toEqual(['', '7/', 'snapshot.json']);
    expect(await rclone('lsf', '-R', '--files-only', 'portal:telemetry')).toContain(
      'BM_SN0000001/7/M0042 (1)_0000001_20251121_031500.log\n',
    );
    expect(await rclone('lsd', 'portal:')).toMatch(/ telemetry\n$/);
  },
);

rcloneTest(
  `rclone can neither delete an object nor write to another folder${RCLONE_SKIP_SUFFIX} (INGEST-01)`,
  { timeout: 60_000 },
  async () => {
    await expect(rclone('deletefile', `${REMOTE}/snapshot.json`)).rejects.toThrow(/AccessDenied/);
    await expect(rclone('copy', directory, 'portal:telemetry/BM_SN0000002')).rejects.toThrow(
      /Forbidden|AccessDenied/,
    );
    expect(endpoint.backend.deliveries).toEqual([]);
  },
);
