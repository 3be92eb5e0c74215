import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ImportTestPortal } from './test/import-desk.ts';

let desk: ImportTestPortal;
beforeAll(async () => {
  desk = await ImportTestPortal.open();
});
afterAll(() => desk.close());

const KONA = '../shared/data/kona';
const hasKona = existsSync(KONA);

test.skipIf(!hasKona)(
  `the recorded drive of a real car shows the last value of each mapped signal${hasKona ? '' : ': skipped, ../shared/data is not here'} (INGEST-04, INGEST-05)`,
  async () => {
    const streamId = await desk.machine('KONA', 'Kona');
    const args = [
      ...[
        '--machine',
        'KONA',
        '--log',
        `${KONA}/230112-7-2019.candump.log`,
        '--dbc',
        `can0=${KONA}/pcan.dbc`,
      ],
      ...['--mapping', await desk.file('kona.json', '{"SocDisp": "Soc1", "Speed_signed": "MotorSpeed"}')],
      ...['--start', '2026-11-20T10:00:00Z'],
    ];
    const { stdout } = await desk.run(...args);
    // can0 has one identifier that the DBC lacks; can1 has no DBC at all.
    expect(stdout).toMatch(/^11 new readings; 0 were there already; 39546 frames/);
    const rows = await desk.rowsOf(streamId);
    const speed = lastMotorSpeed(readFileSync(`${KONA}/230112-7-2019.candump.log`, 'latin1'));
    expect(rows.findLast(({ soc1 }) => soc1 !== null)?.soc1).toBe(36.5);
    expect(rows.findLast(({ motorSpeed }) => motorSpeed !== null)?.motorSpeed).toBe(speed);
    expect((await desk.live('KONA'))?.liveData).toMatchObject({ Soc1: 36.5, MotorSpeed: speed });
    // Frames of can1 decode into nothing, so no other signal was stored.
    expect(rows.every(({ rest }) => rest === null)).toBe(true);
    expect((await desk.run(...args)).stdout).toMatch(/^0 new readings; 11 were there already;/);
    expect(await desk.rowsOf(streamId)).toEqual(rows);
  },
);

/** Returns Speed_signed of the newest frame of 0x291 on can0, parsed by hand: 16 bits from bit 16, Intel, signed. */
function lastMotorSpeed(log: string): number {
  const frames = log.split('\n').flatMap((line) => {
    const [, time, data] = /^\((\d+\.\d+)\) can0 291#([0-9A-F]+)$/.exec(line) ?? [];
    return time && data ? [{ time: Number(time), data: Buffer.from(data, 'hex') }] : [];
  });
  const last = frames.reduce((newest, frame) => (frame.time >= newest.time ? frame : newest));
  return last.data.readInt16LE(2);
}
