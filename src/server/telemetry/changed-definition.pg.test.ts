import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDefinition, setWriterDefinition } from '#server/definitions/definitions.store.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { CANDUMP_DEFINITION } from './test/logs.ts';
import { storedRows } from './test/stored-rows.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

/** A definition that stores half of the charge level that `definition` stores. */
const halved = {
  ...CANDUMP_DEFINITION,
  mapping: {
    signals: [{ bus: 0, message: 'Battery', signal: 'PackSoc', to: 'Soc1', factor: 0.5 }],
    keep: [],
  },
};

/** Returns frames, one a second from `from` (seconds) on, which `definition` decodes to a charge level of 80 %. */
const log = (from: number, seconds: number): string =>
  Array.from({ length: seconds }, (_, n) => `(${from + n}.000000) can0 100#A000000000000000\n`).join('');

const socs = async ({ streamId }: FleetLogger): Promise<(number | null)[]> =>
  (await storedRows(fleet.portal.pool, streamId, ['soc1'])).map(({ soc1 }) => soc1);

const originOf = ({ streamId }: FleetLogger) => ({ streamId, madeBy: undefined });

/** Changes the logger's definition at `at` (seconds). */
async function change(logger: FleetLogger, at: number): Promise<void> {
  const { pool } = fleet.portal;
  const id = await createDefinition(pool, originOf(logger), halved);
  await setWriterDefinition(pool, logger.writerId, id);
  await pool.query('update former_definition set until = to_timestamp($2) where writer_id = $1', [
    logger.writerId,
    at,
  ]);
  await fleet.portal.untilNotified();
}

test('a log that was recorded before a change of the data definition and delivered after the change is decoded by the former definition (12.A13)', async () => {
  const logger = await fleet.newLogger(CANDUMP_DEFINITION);
  const now = Math.floor(fleet.clock / 1000);
  await change(logger, now - 60);
  await fleet.put(logger, 'earlier.log', log(now - 120, 2));
  await fleet.put(logger, 'later.log', log(now - 30, 2));
  expect(await socs(logger)).toEqual([80, 80, 40, 40]);
});

test('each reading of a log that spans a change of the data definition is decoded by the definition of its time (12.A13)', async () => {
  const logger = await fleet.newLogger(CANDUMP_DEFINITION);
  const now = Math.floor(fleet.clock / 1000);
  await change(logger, now - 60);
  await fleet.put(logger, 'long.log', log(now - 62, 4));
  expect(await socs(logger)).toEqual([80, 80, 40, 40]);
  // The change is before the frame, but after the beginning of its second, which is the time of the reading.
  const other = await fleet.newLogger(CANDUMP_DEFINITION);
  await change(other, now - 59.5);
  await fleet.put(other, 'short.log', `(${now - 60}.900000) can0 100#A000000000000000\n`);
  expect(await socs(other)).toEqual([80]);
});

test('a log from before the first DBC is decoded by that first DBC (12.A13)', async () => {
  const logger = await fleet.newLogger();
  const now = Math.floor(fleet.clock / 1000);
  const id = await createDefinition(fleet.portal.pool, originOf(logger), CANDUMP_DEFINITION);
  await setWriterDefinition(fleet.portal.pool, logger.writerId, id);
  await change(logger, now - 60);
  await fleet.put(logger, 'old.log', log(now - 3_600, 1));
  expect(await socs(logger)).toEqual([80]);
});

test('a log file is decoded only by the definitions of its own time, even if the machine had more definitions (12.A13)', async () => {
  const { pool } = fleet.portal;
  const broken = { ...CANDUMP_DEFINITION, buses: [{ ...CANDUMP_DEFINITION.buses[0]!, dbc: 'BO_ x' }] };
  const logger = await fleet.newLogger(broken);
  const now = Math.floor(fleet.clock / 1000);
  await change(logger, now - 3_600);
  await fleet.put(logger, 'later.log', log(now - 30, 2));
  expect([await socs(logger), await fleet.quarantined(logger)]).toEqual([[40, 40], []]);
  await fleet.put(logger, 'spanning.log', log(now - 3_601, 2));
  expect(await socs(logger)).toEqual([40, 40, 40]);
  expect((await fleet.quarantined(logger)).join()).toMatch(/regel 1/);
  expect(
    (await pool.query('select from former_definition where writer_id = $1', [logger.writerId])).rowCount,
  ).toBe(1);
});

test('a log from before the removal of its DBC is decoded by it completely (12.A13)', async () => {
  const { pool } = fleet.portal;
  const logger = await fleet.newLogger(CANDUMP_DEFINITION);
  const now = Math.floor(fleet.clock / 1000);
  await setWriterDefinition(pool, logger.writerId, undefined);
  await pool.query('update former_definition set until = to_timestamp($2) where writer_id = $1', [
    logger.writerId,
    now - 60,
  ]);
  await fleet.portal.untilNotified();
  await fleet.put(logger, 'earlier.log', log(now - 120, 2));
  expect([await socs(logger), await fleet.quarantined(logger)]).toEqual([[80, 80], []]);
});
