import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { formatDecimals } from '#shared/domain/nl.ts';

const NOW = Date.UTC(2026, 10, 20);
const MINUTE_MS = 60_000;
const PERIOD = 'from=2026-11-10&to=2026-11-11';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
});
afterAll(() => portal.close());

/** Returns readings of a machine that charges with `kw` for some minutes. `at`: wall clock in Amsterdam. */
const charge = (at: string, minutes: number, kw: number) =>
  Array.from({ length: minutes + 1 }, (_, n) => ({
    time: Date.parse(`2026-11-${at}+01:00`) + n * MINUTE_MS,
    signals: {
      IsCharging1: n < minutes ? 1 : 0,
      ChargingCurrent: n < minutes ? kw * 2.5 : 0,
      ChargingVoltage: 400,
    },
  }));

/**
 * Creates a customer with a machine on project 'Sluis' and a tariff with a day and a night price.
 * @param lastDay the last day of the tariff; null: the tariff has no end
 */
async function customer(name: string, lastDay: string | null) {
  const owner = await portal.organization(name);
  await portal.user(`b@${name}.nl`, owner, 'beheerder');
  const cookie = await portal.login(`b@${name}.nl`);
  const streamId = await portal.machine(owner, { serial: name });
  await portal.pool.query('update ownership set valid_from = $2 where stream_id = $1', [
    streamId,
    new Date('2026-01-01'),
  ]);
  const { rows } = await portal.pool.query<{ id: number }>(
    `insert into project (organization_id, name, first_day) values ($1, 'Sluis', '2026-01-01') returning id`,
    [owner],
  );
  const project = rows[0]?.id as number;
  await portal.pool.query(
    `insert into assignment (project_id, stream_id, valid_from) values ($1, $2, '2026-11-10T11:50:00Z')`,
    [project, streamId],
  );
  await portal.pool.query(
    `insert into charging_tariff (organization_id, first_day, last_day, day_price, night_price, night_from, night_to, night_weekend)
     values ($1, '2026-01-01', $2, 0.28765, 0.19, 23, 7, true)`,
    [owner, lastDay],
  );
  await storeTestReadings(portal.pool, streamId, [
    ...charge('09T22:30', 150, 40),
    ...charge('10T21:00', 150, 40),
    // Each of these charges is too short to be a session.
    ...['00', '15', '30', '45'].flatMap((minute) => charge(`11T12:${minute}`, 4, 2.8)),
    ...charge('11T22:00', 240, 40),
  ]);
  await computeUntilUpToDate(portal.pool);

  return async (kind: string, more = '') => {
    const answer = await portal.get(`/api/report/${kind}?${PERIOD}${more}`, cookie);
    expect(answer.statusCode, answer.body).toBe(200);
    const { columns, totals, notes } = answer.json() as ReportAnswer;
    const totalOf = (key: string): number =>
      Number(totals?.[columns.findIndex((column) => column.key === key)]);
    return {
      euros: (...keys: string[]) =>
        `€ ${formatDecimals(
          keys.reduce((sum, key) => sum + totalOf(key), 0),
          2,
        )}`,
      lines: notes.filter((note) => /^(Laadbeurten \d|Laadbeurten €|Laadkosten hier)/.test(note)),
      ofProject: `&projects=[${project}]`,
    };
  };
}

/** Returns the sum of the amounts before the '=' of a line, in cents. */
const added = (line: string): number =>
  [...(line.split('=')[0] ?? '').matchAll(/(−?) ?€ (\d+),(\d\d)/g)].reduce(
    (sum, [, sign, euros, cents]) => sum + (sign ? -1 : 1) * Number(`${euros}${cents}`),
    0,
  );

test('a line below the report Laadbeurten derives the charging costs of Dagstaten and Inzet from the total of Laadbeurten, to the cent (53.5)', async () => {
  const report = await customer('dagnacht', null);
  const [sessions, days, use] = [
    await report('laadbeurten'),
    await report('dagstaten'),
    await report('inzet'),
  ];
  // Computed by hand: sessions of € 26.812 and € 34.306, 80 kWh at the night price after the period, 40 kWh at the night price before it,
  // and 0.7467 kWh at the day price outside sessions.
  expect(sessions.lines).toEqual([
    'Laadbeurten 260,0 − 80,0 na de periode + 40,0 van laadbeurten die eerder begonnen + 0,7 buiten laadbeurten van dit rapport = Geladen 220,7 kWh.',
    'Laadbeurten € 61,12 − € 15,20 na de periode + € 7,60 van laadbeurten die eerder begonnen + € 0,21 buiten laadbeurten van dit rapport = Laadkosten van Dagstaten € 53,73.',
  ]);
  expect(sessions.euros('cost')).toBe('€ 61,12');
  expect(days.euros('cost')).toBe('€ 53,73');
  expect(use.euros('cost', 'costOff')).toBe('€ 53,73');
  expect(added(sessions.lines[1] ?? '')).toBe(5373);
  // A report with hours covers other times than whole days: a sentence says why the amounts differ.
  const { lines } = await report('laadbeurten', '&fromTime=18:00&toTime=23:00');
  expect(lines).toEqual([expect.stringMatching(/^Laadkosten hier zijn van laadbeurten\./)]);
});

test('a line below the report Laadbeurten of a project derives the charging costs of the reports Dagstaten and Inzet of that project (53.5)', async () => {
  const report = await customer('project', null);
  const { ofProject } = await report('laadbeurten');
  const [sessions, days, use] = [
    await report('laadbeurten', ofProject),
    await report('dagstaten', ofProject),
    await report('inzet', ofProject),
  ];
  const line = sessions.lines[1] ?? '';
  expect(line).toMatch(new RegExp(`^Laadbeurten ${sessions.euros('cost')} `));
  expect(line.endsWith(` = Laadkosten van Dagstaten ${days.euros('cost')}.`), line).toBe(true);
  expect(use.euros('cost')).toBe(days.euros('cost'));
  expect(`€ ${formatDecimals(added(line) / 100, 2)}`).toBe(days.euros('cost'));
});

test('the report Laadbeurten adds only energy with a tariff to its line about charging costs, and has no such line without a tariff (53.5)', async () => {
  const report = await customer('halftarief', '2026-11-10');
  const [sessions, days] = [await report('laadbeurten'), await report('dagstaten')];
  expect(sessions.lines[1]).toBe(
    'Laadbeurten € 26,81 + € 7,60 van laadbeurten die eerder begonnen = Laadkosten van Dagstaten € 34,41.',
  );
  expect(days.euros('cost')).toBe('€ 34,41');
  const without = await customer('oudtarief', '2026-11-01');
  expect((await without('laadbeurten')).lines).toEqual([expect.stringMatching(/^Laadbeurten 260,0 /)]);
});
