import { expect, test } from 'vitest';
import { formatOf, parseLogStartMs, serialFromFileName } from './log-file-name.ts';

test.each([
  ['J1939Snapshot.json', 'snapshot'],
  ['BM_SN0002471/0/snapshot.JSON', 'snapshot'],
  ['snapshot.txt', 'candump'],
  ['snapshots/other.json', 'other'],
  ['Status.json', 'status'],
  ['BM_SN0002471/Status.json', 'status'],
  ['MyStatus.json', 'other'],
  ['2F6913DB/device.json', 'status'],
  ['2F6913DB/config-01.09.json', 'configuration'],
  ['Configuration.JSON', 'configuration'],
  ['schema-01.09.json', 'configuration'],
  ['uischema-01.09.json', 'configuration'],
  ['2F6913DB/00000004/00000001-63BEF5CD.MFC', 'encrypted'],
  ['00000001.mfe', 'encrypted'],
  ['00000001.MFM', 'encrypted'],
  ['M1_0002471_20260301_120000.log', 'candump'],
  ['drive.log.gz', 'candump'],
  ['drive.candump', 'candump'],
  ['drive.TXT.GZ', 'candump'],
  ['drive.csv', 'csv'],
  ['drive.csv.gz', 'csv'],
  ['ride.gpx', 'gpx'],
  ['BM_SN0002471/ride.GPX.GZ', 'gpx'],
  ['ride.gpx.csv', 'csv'],
  ['gpx', 'other'],
  ['M1_0002471_20260301_120000.rxd', 'rxd'],
  ['M1_0002471_20260301_120000.rxe', 'encrypted'],
  ['data.mf4', 'mf4'],
  ['BM_SN0002471/1/data.MF4.GZ', 'mf4'],
  ['drive.mdf', 'mf4'],
  ['drive.blf', 'blf'],
  ['drive.asc', 'asc'],
  ['drive.trc', 'trc'],
  ['drive.rxd.gz', 'compressed rxd'],
  ['drive.rxe.gz', 'encrypted'],
  ['drive.blf.gz', 'blf'],
  ['drive.mf4.json', 'other'],
  ['last.json', 'other'],
  ['Configuration.rxc', 'other'],
  ['archive.gz', 'other'],
  ['log', 'other'],
  ['', 'other'],
])('the format of %s is %s (INGEST-01)', (name, format) => {
  expect(formatOf(name)).toBe(format);
});

const NOON = Date.UTC(2026, 2, 1, 12, 0, 0);
test.each<[string, number | undefined]>([
  ['M0042_0002471_20260301_120000.log', NOON],
  ['BM_SN0002471/20250101_000000/M0042_0002471_20260301_120000.log.gz', NOON],
  ['20250101_000000_0002471_20260301_120000.rxd', NOON],
  ['M_20260301_120000_copy 2.log', NOON],
  ['20260301_120000_99999999_999999.log', NOON],
  ['M_20260230_120000.log', undefined],
  ['M_20260301_250000.log', undefined],
  ['M_120260301_120000.log', undefined],
  ['M_20260301_1200009.log', undefined],
  ['230112-7-2019.candump.log', undefined],
  ['folder_20260301_120000/drive.log', undefined],
])('the start (UTC) is read from the file name %s (INGEST-05)', (name, start) => {
  expect(parseLogStartMs(name)).toBe(start);
});

test.each<[string, string | undefined]>([
  ['BM-0001_0001234_20261127_080000.rxd', '0001234'],
  ['WS_SN0009999/1/BM_0001234_20261127_080000.blf', '0001234'],
  ['BM_0001234_20261127_080000/drive.rxd', undefined],
  ['BM_10001234_20261127_080000.rxd', undefined],
  ['BM_0001234_20261127.rxd', undefined],
  ['0001234_20261127_080000.rxd', undefined],
  ['00000001-63BEF5CD.MF4', undefined],
])("the logger's serial number is read from the file name %s (43.14)", (name, serial) => {
  expect(serialFromFileName(name)).toBe(serial);
});
