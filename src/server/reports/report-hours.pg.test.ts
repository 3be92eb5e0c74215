import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';

/** 10:00 in Amsterdam, on a Wednesday. */
const NOW = Date.UTC(2026, 10, 18, 9);
const MINUTE_MS = 60_000;

let portal: TestPortal;
let cookie: string;
beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  const klant = await portal.organization('klant');
  await portal.user('b@klant.nl', klant, 'beheerder');
  cookie = await portal.login('b@klant.nl');
  const streamId = await portal.machine(klant, { serial: 'U-1' });
  await portal.pool.query('update ownership set valid_from = $2 where stream_id = $1', [
    streamId,
    new Date(NOW - 30 * 86_400_000),
  ]);
  // The machine charges for half an hour at 16:30 and 18:30, and drives at 5:50 and 6:10 the next day.
  const charge = (begin: number) =>
    Array.from({ length: 31 }, (_, n) => ({
      time: begin + n * MINUTE_MS,
      signals: { IsCharging1: n < 30 ? 1 : 0, ChargingCurrent: n < 30 ? 100 : 0, ChargingVoltage: 400 },
    }));
  const drive = (begin: number) =>
    Array.from({ length: 5 }, (_, n) => ({
      time: begin + n * MINUTE_MS,
      signals: { LATITUDE: 52.1 + n / 1000, LONGITUDE: 5.1, Speed: 10 + n },
    }));
  await storeTestReadings(portal.pool, streamId, [
    ...charge(Date.UTC(2026, 10, 17, 15, 30)),
    ...charge(Date.UTC(2026, 10, 17, 17, 30)),
    ...drive(Date.UTC(2026, 10, 18, 4, 50)),
    ...drive(Date.UTC(2026, 10, 18, 5, 10)),
  ]);
  await computeUntilUpToDate(portal.pool);
});
afterAll(() => portal.close());

const asked = (kind: string, query: string) =>
  portal.get(`/api/report/${kind}?from=2026-11-17&to=2026-11-18&${query}`, cookie);
const rowsOf = async (kind: string, query: string): Promise<ReportAnswer['rows']> => {
  const answer = await asked(kind, query);
  expect(answer.statusCode, answer.body).toBe(200);
  return (answer.json() as ReportAnswer).rows;
};
const HOURS = 'fromTime=18:00&toTime=06:00';
const MACHINE = `machines=${encodeURIComponent('["U-1"]')}`;

test('a report with a start hour and an end hour has the charging sessions that began between them, and the positions and readings between them (53.33)', async () => {
  expect(await rowsOf('laadbeurten', '')).toHaveLength(2);
  expect(await rowsOf('laadbeurten', HOURS)).toHaveLength(1);
  expect(await rowsOf('laadbeurten', 'fromTime=16:30&toTime=06:00')).toHaveLength(2);
  expect(await rowsOf('route', MACHINE)).toHaveLength(10);
  expect(await rowsOf('route', `${MACHINE}&${HOURS}`)).toHaveLength(5);
  const signals = `signals=${encodeURIComponent('["Speed"]')}`;
  expect(await rowsOf('metingen', `${MACHINE}&${signals}&${HOURS}`)).toHaveLength(5);
  const answer = (await asked('laadbeurten', HOURS)).json() as ReportAnswer;
  expect(answer).toMatchObject({ fromTime: '18:00', toTime: '06:00' });
  expect(answer.notes[0]).toBe('Periode: 17-11-2026 18:00 tot 18-11-2026 06:00.');
  // The total charged energy is known for whole days only, so a report that begins or ends within a day has no line about this total.
  expect(answer.notes.some((note) => note.startsWith('Laadbeurten '))).toBe(false);
  const file = await portal.get(
    `/api/report/laadbeurten/file?from=2026-11-17&to=2026-11-18&${HOURS}&format=csv`,
    cookie,
  );
  expect(file.headers['content-disposition']).toBe(
    'attachment; filename="laadbeurten-2026-11-17-1800-2026-11-18-0600.csv"',
  );
});

test('a report of whole days rejects a start hour and an end hour, and a period that does not begin before its end is rejected (53.33)', async () => {
  for (const kind of ['inzet', 'dagstaten', 'draaiuren']) {
    const answer = await asked(kind, HOURS);
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'Dit rapport gaat over hele dagen.']);
  }
  const turned = await portal.get(
    '/api/report/laadbeurten?from=2026-11-17&to=2026-11-17&fromTime=18:00&toTime=18:00',
    cookie,
  );
  expect([turned.statusCode, turned.json().message]).toEqual([
    400,
    'Het begin van de periode ligt niet voor het einde.',
  ]);
});

test('the period last night lasts from the end of yesterday’s shift to the begin of today’s, or from 18:00 to 06:00 without a work week (53.33)', async () => {
  const night = async () => (await portal.get('/api/workweek/night', cookie)).json();
  expect(await night()).toEqual({ fromTime: '18:00', toTime: '06:00' });
  const day = { from: '07:00', to: '16:30' };
  const workDays = [day, day, { from: '06:30', to: '17:00' }, day, day, null, null];
  const set = await portal.app.inject({
    method: 'POST',
    url: '/api/workweek/set',
    headers: { cookie, ...SCRIPT_HEADERS },
    payload: { name: 'klant', workDays, nationalHolidays: true, ownHolidays: [] },
  });
  expect(set.statusCode, set.body).toBe(200);
  expect(await night()).toEqual({ fromTime: '16:30', toTime: '06:30' });
});
