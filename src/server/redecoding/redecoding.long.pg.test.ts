import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { daySums } from '#server/history/range-sums.ts';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';
import type { FleetLogger } from '#server/telemetry/test/fleet.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import type { Definition, Mapping, Redecoding } from '#shared/contract/definition.ts';
import { readStreamContent } from './test/content-of.ts';

const DAY = 86_400; // s

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const BMS = { bus: 0, message: 'BMS_Status' };
const FORMER: Mapping = {
  signals: [
    { ...BMS, signal: 'soc1', to: 'Soc1' },
    { ...BMS, signal: 'CelTemp', to: 'Celtemperatuur' },
    { signal: 'Motor_Speed', to: 'MotorSpeed', factor: 0.1 },
  ],
  keep: [{ bus: 0, message: 'OIL' }],
};
const NEW: Mapping = {
  signals: [
    { ...BMS, signal: 'soc1', to: 'Soc2' },
    { ...BMS, signal: 'PackI', to: 'BatteryCurrent' },
    { ...BMS, signal: 'BMS_PackVoltage', to: 'BatteryVoltage' },
    { signal: 'Motor_Speed', to: 'MotorSpeed' },
  ],
  keep: [],
};
const DBC = `${BATTERY_DBC}
BO_ 600 OIL: 1 BMS
 SG_ OilTemp : 0|8@1+ (1,0) [0|100] "degC" Vector__XXX
`;
const definitionOf = (mapping: Mapping): Definition => ({
  buses: [{ bus: 0, bitrate: 250_000, name: 'accu.dbc', dbc: DBC }],
  mapping,
});

const hex = (value: number, bytes: number): string => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32LE(value);
  return buffer.subarray(0, bytes).toString('hex');
};
/**
 * Returns a candump log from `from` to `to` with frames every `step` seconds: charge level in units of 0.5 %, voltage of 0.1 V, current of
 * 0.1 A, temperature of 1 degree, and in a second message motor speed in units of 0.5 rpm.
 */
const log = (from: number, to: number, step: number): string => {
  const lines: string[] = [];
  for (let t = from, n = 0; t < to; t += step, n += 1) {
    const frame = [
      hex(160 - (n % 50), 1),
      hex(4000 + (n % 7), 2),
      hex((n % 40) * 30 - 300, 2),
      hex(n % 60, 1),
      '0000',
    ];
    lines.push(`(${t}.100000) can0 1F4#${frame.join('')}`);
    if (n % 3 !== 0) lines.push(`(${t}.300000) can0 18FEF3D4#${hex(n % 20 < 12 ? 4000 : 100, 2)}0000`);
  }
  return `${lines.join('\n')}\n`;
};

/** Returns the files that a logger uploads over five hours, in the order of upload; `end` in seconds since 1970. */
const deliveries = (end: number): (readonly [name: string, body: string])[] => [
  ['J1939Snapshot.json', JSON.stringify({ GMT_UNIX: end - 16_000, Speed: 3, LATITUDE: 52, LONGITUDE: 5 })],
  ['1/a.log', log(end - 18_000, end - 14_000, 10)],
  // The first second of this file is the last second of the previous file.
  ['1/b.log', log(end - 14_010, end - 9_000, 7)],
  ['J1939Snapshot.json', JSON.stringify({ GMT_UNIX: end - 8_990, IsCharging1: 1, ChargingCurrent: 40 })],
  ['1/d.log', log(end - 3_600, end - 600, 10)],
  // The file c arrives late: after the file d, which has newer readings.
  ['1/c.log', log(end - 9_000, end - 5_000, 10)],
  // Only the former definition stores this message, so re-decoding removes its reading, the newest one.
  ['1/e.log', `(${end - 60}.000000) can0 258#50\n`],
  ['J1939Snapshot.json', JSON.stringify({ GMT_UNIX: end - 3_000, Speed: 12 })],
];

const stateOf = async ({ serialNumber }: FleetLogger): Promise<Redecoding> =>
  (await a.call(`GET /api/machine/dbc/${serialNumber}/redecode`)).json.redecoding;
const begin = (serial: string, more: object = {}) =>
  a.call('POST /api/machine/dbc/redecode', { body: { serial, ...more } });
async function ended(logger: FleetLogger): Promise<Redecoding> {
  await expect
    .poll(async () => (await stateOf(logger)).state, { timeout: 30_000, interval: 100 })
    .toBe('done');
  return stateOf(logger);
}
const deliver = async (logger: FleetLogger, files: readonly (readonly [string, string])[]): Promise<void> => {
  for (const [name, body] of files) await a.fleet.put(logger, name, body);
};
/**
 * Creates a machine whose mapping was changed after its logger had uploaded the files, and one that had the later mapping from the
 * beginning.
 */
async function twoMachines(files: readonly (readonly [string, string])[]) {
  const [changed, fresh] = [
    await a.fleet.newLogger(definitionOf(FORMER)),
    await a.fleet.newLogger(definitionOf(NEW)),
  ];
  await Promise.all([deliver(changed, files), deliver(fresh, files)]);
  const { status } = await a.call('POST /api/machine/dbc/mapping', {
    body: { serial: changed.serialNumber, mapping: NEW },
  });
  expect(status).toBe(200);
  await a.portal.untilNotified();
  return { changed, fresh };
}

test('readings of log files are replaced by those of the present definition, despite interruptions and uploads in between (12.C2)', async () => {
  const end = Math.floor(a.fleet.clock / 1000);
  const { changed, fresh } = await twoMachines(deliveries(end));
  const before = await readStreamContent(a.portal.pool, changed);

  await begin(changed.serialNumber);
  const preview = await ended(changed);
  expect(await readStreamContent(a.portal.pool, changed)).toEqual(before);
  expect(preview).toMatchObject({
    preview: true,
    files: 5,
    filesDone: 5,
    startedBy: 'admin@portaal.nl',
    from: null,
  });
  expect(preview.readings.removed).toBe(1);
  expect(preview.signals.Soc1).toEqual({ added: 0, changed: 0, removed: preview.signals.Soc2?.added });
  expect(preview.signals.MotorSpeed).toEqual({ added: 0, changed: expect.any(Number), removed: 0 });
  expect(preview.signals).not.toHaveProperty('Speed');

  // Interrupts the replacement after its first part; the next attempt continues.
  await a.portal.pool.query(`
    create function break_off() returns trigger language plpgsql as $$ begin
      if old.outcome <> new.outcome and old.outcome #>> '{readings,changed}' <> '0' then raise exception 'broken off'; end if;
      return new;
    end $$;
    create trigger break_off before update on redecoding for each row execute function break_off()`);
  await begin(changed.serialNumber, { preview: false });
  expect((await begin(changed.serialNumber)).status).toBe(409);
  await expect
    .poll(async () => (await stateOf(changed)).readings.changed, { timeout: 20_000 })
    .toBeGreaterThan(0);
  const meanwhile = [
    ['J1939Snapshot.json', JSON.stringify({ GMT_UNIX: end - 2_995, Speed: 13 })],
    // The file f was recorded while the former definition was valid, and uploaded after that definition was replaced.
    ['1/f.log', log(end - 4_900, end - 4_700, 10)],
  ] as const;
  await Promise.all([deliver(changed, meanwhile), deliver(fresh, meanwhile)]);
  await a.portal.pool.query('drop trigger break_off on redecoding; drop function break_off');
  const outcome = await ended(changed);
  expect(await readStreamContent(a.portal.pool, changed)).toEqual(
    await readStreamContent(a.portal.pool, fresh),
  );
  expect(outcome).toEqual({
    ...preview,
    preview: false,
    files: expect.any(Number),
    filesDone: expect.any(Number),
    covers: expect.any(Array),
    startedAt: outcome.startedAt,
  });

  await begin(changed.serialNumber, { preview: false });
  expect((await ended(changed)).readings).toEqual({ added: 0, changed: 0, removed: 0 });
  expect(await readStreamContent(a.portal.pool, changed)).toEqual(
    await readStreamContent(a.portal.pool, fresh),
  );
  expect((await a.portal.pool.query('select from redecoded')).rowCount).toBe(0);
  const audited = (await a.audited()).filter(({ action }) => action === 'dbc.redecode');
  expect(audited).toHaveLength(2);
});

test('when the newest readings are removed, the figures of their days are removed too (12.C2, 14.2a, 17.6)', async () => {
  // The last noon in UTC, so that the hour before it lies on one day.
  const end = Math.floor(a.fleet.clock / 1000 / DAY - 0.5) * DAY + DAY / 2;
  const oil = (from: number) =>
    Array.from({ length: 60 }, (_, n) => `(${from + n * 10}.000000) can0 258#50\n`).join('');
  const { changed, fresh } = await twoMachines([
    ['1/a.log', log(end - 5 * DAY - 3_600, end - 5 * DAY, 10)],
    // Only the former definition stores the message of these files.
    ['1/e.log', oil(end - 3 * DAY)],
    ['1/f.log', oil(end - 600)],
  ]);
  const countedOf = async ({ streamId }: FleetLogger) =>
    (
      await a.portal.pool.query(
        `select to_jsonb(d) - '{stream_id,organization_id}'::text[] as row from day_figures d where stream_id = $1 order by day`,
        [streamId],
      )
    ).rows;
  const knownSpansOf = async ({ streamId }: FleetLogger) => {
    const days = await daySums(
      a.portal.pool,
      { streamId, own: [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }] },
      { from: (end - 9 * DAY) * 1000, to: (end + DAY) * 1000 },
      ['count', 'heardMs'],
    );
    return [...days.values()].map(({ count, heardMs }) => [count > 0, heardMs > 0]);
  };
  await computeUntilUpToDate(a.portal.pool);
  expect(await countedOf(changed)).toHaveLength(3);
  await begin(changed.serialNumber, { preview: false });
  await ended(changed);
  const only = [[true, true]];
  expect(await knownSpansOf(changed)).toEqual(only);
  await computeUntilUpToDate(a.portal.pool);
  expect(await knownSpansOf(changed)).toEqual(only);
  expect(await countedOf(changed)).toEqual(await countedOf(fresh));

  // Here the re-decoding removes all readings of the stream.
  const { changed: emptied } = await twoMachines([['1/e.log', oil(end - 3 * DAY)]]);
  await computeUntilUpToDate(a.portal.pool);
  await begin(emptied.serialNumber, { preview: false });
  await ended(emptied);
  expect([await knownSpansOf(emptied), await countedOf(emptied)]).toEqual([[], []]);
});

test('re-decoding from a chosen moment leaves earlier readings, even when they arrive late (12.C2)', async () => {
  const end = Math.floor(a.fleet.clock / 1000);
  const { changed } = await twoMachines([
    ['1/a.log', log(end - 400, end - 300, 10)],
    // The logger's clock is fast: by its times the file was recorded after the definition changed, although it was decoded before that.
    ['1/ahead.log', log(end + 200, end + 230, 10)],
  ]);
  const from = new Date((end - 350) * 1000).toISOString();
  await begin(changed.serialNumber, { preview: false, from });
  expect(await ended(changed)).toMatchObject({ from, readings: { added: 0, changed: 8, removed: 0 } });
  await deliver(changed, [['1/b.log', log(end - 410, end - 405, 1)]]);
  await deliver(changed, [['1/c.log', log(end - 290, end - 285, 1)]]);
  const rows = await storedRows(a.portal.pool, changed.streamId, ['time', 'soc1', 'soc2']);
  expect(rows).toHaveLength(23);
  const isWrong = ({ time, soc1, soc2 }: (typeof rows)[number]): boolean => {
    const isEarlier = time.getTime() / 1000 < end - 350;
    return (soc1 !== null) !== isEarlier || (soc2 !== null) === isEarlier;
  };
  expect(rows.filter(isWrong)).toEqual([]);
});

test('re-decoding updates the number of readings of a log file, or the reason why it gave none (55.22)', async () => {
  const end = Math.floor(a.fleet.clock / 1000);
  const oil = [1, 2, 3].map((n) => `(${end - 600 + n * 10}.000000) can0 258#50\n`).join('');
  const { changed } = await twoMachines([['1/e.log', oil]]);
  const summary = async (): Promise<string> => String(await a.fleet.outcomes(changed));
  const decodedAgain = async (more: object): Promise<string> => {
    await begin(changed.serialNumber, more);
    await ended(changed);
    return summary();
  };
  expect(await summary()).toBe('3 metingen');
  expect(await decodedAgain({ preview: true })).toBe('3 metingen');
  // The file ends before `from`, so it is not decoded again.
  const from = new Date((end - 60) * 1000).toISOString();
  expect(await decodedAgain({ preview: false, from })).toBe('3 metingen');
  expect(await decodedAgain({ preview: false })).toBe(
    '0 metingen; geen van de 3 frames heeft een signaal dat de datadefinitie koppelt of bewaart: koppel de signalen en decodeer daarna de logbestanden opnieuw',
  );
  await a.call('POST /api/machine/dbc/mapping', {
    body: { serial: changed.serialNumber, mapping: FORMER },
  });
  await a.portal.untilNotified();
  expect(await decodedAgain({ preview: false })).toBe('3 metingen');
});

test('without a logger or a definition re-decoding is refused with an explanation (12.C2)', async () => {
  await a.create('R-1');
  expect((await begin('R-1')).message).toBe('Koppel eerst een logger.');
  await a.machine('R-2');
  expect((await begin('R-2')).message).toBe('Upload eerst een DBC-bestand.');
  expect((await begin('R-2', { from: 'gisteren' })).status).toBe(400);
  expect((await a.call('GET /api/machine/dbc/R-2/redecode')).json).toEqual({ redecoding: null });
});

test('files of a replaced logger are decoded by the present definition too, and the answer lists them (55.12)', async () => {
  const end = Math.floor(a.fleet.clock / 1000);
  const files = [['1/a.log', log(end - 400, end - 300, 10)]] as const;
  const [wrong, right] = [
    await a.fleet.newLogger(definitionOf(FORMER)),
    await a.fleet.newLogger(definitionOf(NEW)),
  ];
  await Promise.all([deliver(wrong, files), deliver(right, files)]);
  const { serialNumber: serial, loggerSerial: replaces } = wrong;
  a.fleet.clock += 60_000;
  const body = { serial, replaces, influx_serial: '7400001' };
  expect((await a.call('POST /api/machine/writer/replace', { body })).status).toBe(200);
  await a.call('POST /api/machine/dbc/mapping', { body: { serial, mapping: NEW } });
  await begin(serial);
  expect(await ended(wrong)).toMatchObject({
    files: 1,
    covers: [{ loggerSerial: replaces, files: 1, from: expect.any(String), to: expect.any(String) }],
    signals: { Soc2: { added: 10 } },
  });
  await begin(serial, { preview: false });
  await ended(wrong);
  expect(await readStreamContent(a.portal.pool, wrong)).toEqual(
    await readStreamContent(a.portal.pool, right),
  );
  // The present definition now also applies to the period of the former logger: when that logger is bound again, the portal decodes its
  // late files by the present definition.
  const { id } = (await a.call(`GET /api/machine/writer/health/${serial}`)).json.formerLoggers[0];
  await a.call('POST /api/machine/writer/take-back', { body: { serial, id } });
  await a.portal.untilNotified();
  const late = [['1/b.log', log(end - 290, end - 270, 10)]] as const;
  await Promise.all([deliver(wrong, late), deliver(right, late)]);
  expect(await readStreamContent(a.portal.pool, wrong)).toEqual(
    await readStreamContent(a.portal.pool, right),
  );
});
