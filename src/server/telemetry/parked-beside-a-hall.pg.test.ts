import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { defaultSettings } from '#shared/domain/alerts/kinds.ts';
import { hasSharedData, sharedData } from './decode/test/shared-data.ts';
import { importLog } from './log-import.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';

/** Tests with field case 14: the positions of a receiver beside a hall wander by 30 m. Read by an upload and by an import. */

const NAME = '14-wander-30-m.csv';
const BEGIN = Date.UTC(2026, 10, 19, 13);
const HOUR = 3_600_000;
const PARKED = { lat: 52.6, lon: 6.2 };
const METRES_PER_DEGREE = (6_371_000 * Math.PI) / 180;
const POSITIONS: Definition = {
  buses: [],
  mapping: {
    signals: ['LATITUDE', 'LONGITUDE', 'MotorSpeed'].map((signal) => ({ signal, to: signal })),
    keep: [],
  },
};
const BOSS = 'baas@klant.nl';

let fleet: TestFleet;
let manager: string;
beforeAll(async () => {
  fleet = await TestFleet.open();
  // Stops the background evaluation of alerts, so that only the test evaluates them.
  await fleet.portal.portal.alerts.close();
  await fleet.portal.user(BOSS, fleet.organization, 'beheerder');
  manager = await fleet.portal.login(BOSS);
});
afterAll(() => fleet.close());

const call = async (url: string, payload: object): Promise<{ _id: number; count?: number }> => {
  const answer = await fleet.portal.app.inject({
    method: 'POST',
    url,
    headers: { cookie: manager },
    payload,
  });
  expect([url, answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([url, 200, '']);
  return answer.json();
};

const rule = (kind: 'moved' | 'arrived' | 'left') => ({
  ...{
    ruleName: `Regel ${kind}`,
    kind,
    settings: defaultSettings(kind),
    hours: 'always',
    machines: { by: 'all' },
  },
  ...{ severity: 'notice', people: [], roles: ['beheerder'], tellsEnd: false, isOn: true, isOwn: false },
});

/** Returns a circle whose border is 60 m from the machine in this direction. */
const areaAt = (degrees: number) => {
  const [metres, angle] = [160, (degrees * Math.PI) / 180];
  const { lat, lon } = PARKED;
  return {
    centre: {
      lat: lat + (metres * Math.sin(angle)) / METRES_PER_DEGREE,
      lon: lon + (metres * Math.cos(angle)) / METRES_PER_DEGREE / Math.cos((lat * Math.PI) / 180),
    },
    radiusMetres: 100,
  };
};

async function upload(logger: FleetLogger): Promise<void> {
  // The signature must have the present time.
  fleet.clock = Date.now();
  await fleet.put(logger, NAME, sharedData(`field-cases/${NAME}`));
}
async function imported(logger: FleetLogger): Promise<void> {
  const content = sharedData(`field-cases/${NAME}`);
  await importLog(
    fleet.portal.pool,
    {
      ...{ streamId: logger.streamId, chunks: () => Readable.from([content]), format: 'csv' },
      ...{ definition: POSITIONS, fingerprint: NAME, shift: 'if-before-2015' },
    },
    content.length,
    () => {},
    () => fleet.clock,
  );
}

test.skipIf(!hasSharedData).each([
  ['uploaded', upload],
  ['imported', imported],
])(
  'a machine that is parked beside a hall has no distance, opens no alert and is on no project: %s (52.8)',
  async (_, store) => {
    fleet.clock = BEGIN - 24 * HOUR;
    const logger = await fleet.newLogger(POSITIONS, new Date(BEGIN - 24 * HOUR));
    // Work ends an hour after the motor stops, at 16:00 in Amsterdam.
    const shift = { from: '07:00', to: '16:00' };
    const workDays = [shift, shift, shift, shift, shift, null, null];
    await call('/api/workweek/set', { name: 'klant', workDays, nationalHolidays: true, ownHolidays: [] });
    for (const kind of ['moved', 'arrived', 'left'] as const) await call('/api/alert-rule/save', rule(kind));
    for (const degrees of [0, 45, 90, 135, 180, 225, 270, 315])
      await call('/api/project/create', {
        ...{ projectName: `Richting ${degrees} ${logger.loggerSerial}`, projectNumber: '', client: '' },
        ...{ firstDay: '2026-01-01', lastDay: null, areas: [areaAt(degrees)] },
      });
    fleet.clock = BEGIN + 17 * HOUR;
    await store(logger);
    fleet.clock = BEGIN + 17 * HOUR;
    await computeUntilUpToDate(fleet.portal.pool, logger.streamId);
    const { alerts } = fleet.portal.portal;
    await alerts.evaluateReadings();
    await alerts.evaluatePresences();
    const { rows } = await fleet.portal.pool.query(
      `select (select sum(distance_mm)::int from rollup where stream_id = $1) as mm,
         (select count(*)::int from presence where stream_id = $1) as presences,
         (select count(*)::int from alert where stream_id = $1) as alerts,
         (select count(*)::int from alert_cursor where stream_id = $1 and time >= $2) as looked`,
      [logger.streamId, new Date(BEGIN + 16 * HOUR)],
    );
    expect(await fleet.readingsOf(logger.streamId)).toBe(500);
    expect(rows).toEqual([{ mm: 0, presences: 0, alerts: 0, looked: 1 }]);
    for (const kind of ['moved', 'arrived', 'left'] as const)
      expect((await call('/api/alert-rule/preview', rule(kind))).count).toBe(0);
  },
);
