import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestFleet } from './test/fleet.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

// A recorded drive of a real car, whose charge level (SocDisp) is known to be 36.5 %.
const KONA = '../shared/data/kona';
const hasKona = existsSync(KONA);
const hasRclone = (() => {
  try {
    execFileSync('rclone', ['version'], { env: { PATH: process.env.PATH }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const skipped = [
  ...(hasKona ? [] : ['../shared/data is not here']),
  ...(hasRclone ? [] : ['rclone is not installed']),
];

test.skipIf(skipped.length > 0)(
  `the recorded drive, uploaded by rclone under a logger's name, gives its readings${skipped.map((why) => `: skipped, ${why}`)} (INGEST-04, INGEST-05)`,
  async () => {
    const logger = await fleet.newLogger({
      buses: [
        { bus: 0, bitrate: 500_000, name: 'pcan.dbc', dbc: readFileSync(`${KONA}/pcan.dbc`, 'latin1') },
      ],
      mapping: {
        signals: [
          { signal: 'SocDisp', to: 'Soc1' },
          { signal: 'Speed_signed', to: 'MotorSpeed' },
        ],
        keep: [],
      },
    });
    const folder = await mkdtemp(join(tmpdir(), 'werkstroom-rclone-'));
    const file = join(folder, `KONA_${logger.loggerSerial}_20260112_100000.log`);
    await writeFile(file, readFileSync(`${KONA}/230112-7-2019.candump.log`));
    const remote = `:s3,provider=Other,endpoint="${fleet.portal.address}",access_key_id=${logger.accessKey},secret_access_key=${logger.secret}:telemetry/KONA_SN${logger.loggerSerial}/1`;
    const copy = () =>
      promisify(execFile)('rclone', ['copy', '--config', '/dev/null', '--ignore-times', file, remote], {
        env: { PATH: process.env.PATH, HOME: folder },
      });
    await copy();
    const first = await fleet.readingsOf(logger.streamId);
    expect(first).toBeGreaterThanOrEqual(10);
    expect((await fleet.live(logger.serialNumber))?.liveData).toMatchObject({
      Soc1: 36.5,
      MotorSpeed: expect.any(Number),
    });
    await copy();
    expect(await fleet.readingsOf(logger.streamId)).toBe(first);
    expect((await fleet.health(logger.writerId)).counters).toMatchObject({
      readings: first,
      duplicates: first,
    });
    await rm(folder, { recursive: true });
  },
);
