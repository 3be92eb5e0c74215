import { describe, expect, test } from 'vitest';
import { exportedLog, exportedRows } from '#server/telemetry/decode/can-log/test/exported-log.ts';
import { readMf4 } from '#server/telemetry/decode/can-log/test/read-mf4.ts';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';

const secondsOf = (row: string | undefined) => Number(row?.split(' ')[0]) / 1_000_000;
const onBus = (rows: readonly string[], bus: number) =>
  rows.filter((row) => row.split(' ')[1] === String(bus)).length;

describe.skipIf(!hasSharedData)('MF4 files of real loggers (43.1)', () => {
  test('the MF4 of the ReXgen exporter is read as the 240 frames of its .rxd (43.1)', () => {
    for (const pieceBytes of [1, 13, 4096])
      expect(readMf4(exportedLog('mf4'), pieceBytes)).toEqual({ rows: exportedRows(), damaged: 0 });
  });

  test('all frames of an unfinalized MF4 of a CANedge with data of variable length are read (43.1)', () => {
    const { rows, damaged } = readMf4(sharedData('canedge/2F6913DB-00000004-00000001.MF4'));
    expect(rows).toHaveLength(5588);
    expect([onBus(rows, 1), onBus(rows, 2), damaged]).toEqual([221, 5367, 0]);
    expect(secondsOf(rows[0])).toBeCloseTo(1641469561.9497, 6);
    expect(secondsOf(rows.at(-1))).toBeCloseTo(1641469625.4197, 6);
  });

  test('all frames of an MF4 of a CANedge whose groups name the bus are read (43.1)', () => {
    const file = sharedData('canedge/2F6913DB-00001089-00000001-63BEF5CD.MF4');
    const { rows, damaged } = readMf4(file);
    expect(rows).toHaveLength(4024);
    // The file has records in the groups CAN1_Rx, CAN1_Tx and CAN2_Rx; the groups of CAN9 (GNSS) are empty.
    expect([onBus(rows, 1), onBus(rows, 2), damaged]).toEqual([1011, 3013, 0]);
    expect(secondsOf(rows[0])).toBeCloseTo(1673458929.10395, 6);
    expect(secondsOf(rows.at(-1))).toBeCloseTo(1673459098.7085, 6);
    expect(readMf4(file, 1).rows).toEqual(rows);
  });
});
