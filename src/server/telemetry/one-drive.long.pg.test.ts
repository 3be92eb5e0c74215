import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import type { Definition } from '#shared/contract/definition.ts';
import type { PathPoint } from '#shared/contract/history.ts';
import { RxdFile, rxdFileName } from '#shared/demo/rxd-file.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';

/**
 * Compares one drive recorded by two loggers: one sends snapshots and hourly .rxd files, the other every frame as
 * candump.
 */

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const HOURS = 2;
const SNAPSHOT_EVERY = 5;

let fleet: TestFleet;
/** A whole hour three hours ago, so that the upload endpoint's clock allows uploads. */
let begin: number;
beforeAll(async () => {
  fleet = await TestFleet.open();
  begin = Math.floor(Date.now() / HOUR) * HOUR - 3 * HOUR;
});
afterAll(() => fleet.close());

const DBC = `VERSION ""
BO_ 256 Motor: 8 X
 SG_ MotorSpeed : 0|16@1- (1,0) [0|0] "rpm" X
 SG_ BatteryCurrent : 16|16@1- (0.1,0) [0|0] "A" X
 SG_ BatteryVoltage : 32|16@1+ (0.1,0) [0|0] "V" X
BO_ 257 Charger: 8 X
 SG_ IsCharging1 : 0|8@1+ (1,0) [0|0] "" X
 SG_ ChargingCurrent : 8|16@1- (0.1,0) [0|0] "A" X
 SG_ ChargingVoltage : 24|16@1+ (0.1,0) [0|0] "V" X
BO_ 258 Pack: 8 X
 SG_ Soc1 : 0|8@1+ (0.5,0) [0|0] "%" X
BO_ 259 Place: 8 X
 SG_ LATITUDE : 0|32@1+ (0.0000001,0) [0|0] "" X
 SG_ LONGITUDE : 32|32@1+ (0.0000001,0) [0|0] "" X
`;
const mapped = (names: readonly string[]): Definition => ({
  buses: [{ bus: 0, bitrate: 250_000, name: 'rit.dbc', dbc: DBC }],
  mapping: { signals: names.map((signal) => ({ signal, to: signal })), keep: [] },
});
const ON_CAN = ['MotorSpeed', 'BatteryCurrent', 'BatteryVoltage', 'IsCharging1', 'ChargingCurrent'];
const NAMES = [...ON_CAN, 'ChargingVoltage', 'Soc1'];

/** Returns the raw values at a second of the drive, in which the machine works, stands still, is transported and is charged. */
function at(second: number) {
  const minute = Math.floor(second / 60);
  const works = minute < 45 && minute % 10 < 8;
  const charges = minute >= 80 && minute < 110;
  const drives = minute < 30 || (minute >= 50 && minute < 70);
  const swing = (second * 7919) % 400;
  return {
    motor: works ? 900 + swing : 0,
    current: works ? 1500 - 8 * swing : charges ? -600 : 5,
    voltage: 6500 + (second % 60),
    flag: charges ? 1 : 0,
    charging: charges ? 600 + (swing % 50) : 0,
    soc: charges ? 100 + minute - 80 : 160 - minute,
    place: drives ? second : Math.floor(second / 1800) * 1800,
  };
}
const latitudeOf = (place: number): number => 520_000_000 + place * 300;
const LONGITUDE = 50_000_000;

const word = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff];
const long = (value: number): number[] => [...word(value & 0xffff), ...word(value >>> 16)];
/** Returns the frames of a second. The charge level is sent only every 10 s. */
function framesOf(second: number): { id: number; data: number[] }[] {
  const { motor, current, voltage, flag, charging, soc, place } = at(second);
  return [
    { id: 256, data: [...word(motor), ...word(current), ...word(voltage), 0, 0] },
    { id: 257, data: [flag, ...word(charging), ...word(voltage), 0, 0, 0] },
    ...(second % 10 === 0 ? [{ id: 258, data: [soc, 0, 0, 0, 0, 0, 0, 0] }] : []),
    { id: 259, data: [...long(latitudeOf(place)), ...long(LONGITUDE)] },
  ];
}
const hex = (bytes: readonly number[]): string =>
  bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');

function candump(hour: number): string {
  const lines: string[] = [];
  for (let second = hour * 3600; second < (hour + 1) * 3600; second += 1)
    for (const [n, { id, data }] of framesOf(second).entries())
      lines.push(`(${begin / 1000 + second}.${n}00000) can0 ${id.toString(16)}#${hex(data)}`);
  return lines.join('\n');
}

function rxd(hour: number): Buffer {
  const file = new RxdFile({ name: 'WS', buses: [0], gnss: ['LATITUDE', 'LONGITUDE', 'DATETIME'] });
  for (let second = hour * 3600; second < (hour + 1) * 3600; second += 1) {
    const tick = (second - hour * 3600) * 100_000;
    file.addGnss(tick, 'DATETIME', begin / 1000 + second);
    for (const [n, { id, data }] of framesOf(second).entries()) {
      if (id !== 259) file.addFrame({ tick: tick + n * 10_000, bus: 0, id, data });
      else {
        file.addGnss(tick + n * 10_000, 'LATITUDE', latitudeOf(at(second).place) / 1e7);
        file.addGnss(tick + n * 10_000, 'LONGITUDE', LONGITUDE / 1e7);
      }
    }
  }
  return Buffer.from(file.toBytes());
}

/** Returns the snapshot of a second: the last value of each signal. */
function snapshot(second: number): Record<string, number> {
  const { motor, current, voltage, flag, charging, place } = at(second);
  const { soc } = at(second - (second % 10));
  return {
    ...{ RTC_UNIX: begin / 1000 + second, MotorSpeed: motor, BatteryCurrent: current * 0.1 },
    ...{ BatteryVoltage: voltage * 0.1, IsCharging1: flag, ChargingCurrent: charging * 0.1 },
    ...{ ChargingVoltage: voltage * 0.1, Soc1: soc * 0.5 },
    ...{ LATITUDE: latitudeOf(place) / 1e7, LONGITUDE: LONGITUDE / 1e7 },
  };
}

const withoutPacks = ({ packs: _packs, ...day }: { packs: unknown }) => day;

/** Returns figures without the charge level: snapshots repeat it, so the number of its values differs. */
async function figures({ streamId, serialNumber }: FleetLogger) {
  const { pool } = fleet.portal;
  await computeUntilUpToDate(pool, streamId);
  const range = `start=${new Date(begin - HOUR).toISOString()}&end=${new Date(begin + HOURS * HOUR).toISOString()}`;
  const ask = async (call: string) =>
    (await fleet.portal.get(`/api/influx/${call}/${serialNumber}?${range}`, fleet.cookie)).json();
  const { rows: buckets } = await pool.query(`select * from rollup where stream_id = $1 order by bucket`, [
    streamId,
  ]);
  return {
    buckets: buckets.map(({ streamId: _stream, packs: _packs, ...sums }) => sums),
    hours: await ask('driverhours'),
    day: withoutPacks(await ask('day')),
    sessions: await ask('sessions'),
    path: (await ask('gps')).map(({ soc: _soc, ...place }: PathPoint) => place),
    transports: await ask('transports'),
  };
}

test('snapshots and .rxd files of a drive give the same hours, energies, route and sessions as its candump (43.3)', async () => {
  const frames = await fleet.newLogger(mapped([...NAMES, 'LATITUDE', 'LONGITUDE']), new Date(begin - HOUR));
  const late = await fleet.newLogger(mapped(NAMES), new Date(begin - HOUR));
  for (let hour = 0; hour < HOURS; hour += 1)
    await fleet.put(
      frames,
      `${hour}/rit_${rxdFileName('a', '1', begin + hour * HOUR).slice(4, -4)}.log`,
      candump(hour),
    );
  for (let second = 0; second < HOURS * 3600; second += SNAPSHOT_EVERY) {
    // The logger has no network for 20 minutes; the first file arrives when the second hour has begun.
    const minute = Math.floor(second / 60);
    if (minute < 20 || minute >= 40) await fleet.snapshot(late, snapshot(second));
    for (let hour = 0; hour < HOURS; hour += 1)
      if (second === (hour + 1) * 3600 - SNAPSHOT_EVERY + (hour < HOURS - 1 ? 60 : 0))
        await fleet.put(
          late,
          `${hour}/${rxdFileName('WS', late.loggerSerial, begin + hour * HOUR)}`,
          rxd(hour),
        );
  }
  const [expected, found] = [await figures(frames), await figures(late)];
  expect(expected.buckets.length).toBeGreaterThan(20);
  expect(expected.sessions.sessions).toHaveLength(1);
  expect(expected.transports.transports.length).toBeGreaterThan(0);
  expect(found).toEqual(expected);
});
