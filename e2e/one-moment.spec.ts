/** Compares a machine's mail, API calls and page at one time with the oracle: an independent computation by docs/figures.md. */

import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import type { DayChart } from '#shared/contract/history.ts';
import type { LiveResponse } from '#shared/contract/live.ts';
import { clockTime, dateAndTime, formatPercent, hoursAsClock, statusLabel } from '#shared/domain/nl.ts';
import { mergeAcceptedReadings } from '#shared/domain/test/oracle/accept.ts';
import { type ChargingEvent, chargingEvents } from '#shared/domain/test/oracle/charging.ts';
import { type ArrivedReading, liveStateOf, remainingChargeTime } from '#shared/domain/test/oracle/live.ts';
import { meanOfPacks, socByPack } from '#shared/domain/test/oracle/soc.ts';
import { activityBands } from '#shared/domain/test/oracle/status.ts';
import { cableStateAt, type Range } from '#shared/domain/test/oracle/track.ts';
import { expect, signInByApi, test } from './fixtures.ts';
import { openMachine, panelRegion } from './one-machine.ts';
import { recordReadings } from './record.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const ON = { IsCharging: 1, ChargingCurrent: 40, ChargingVoltage: 500 };
const OFF = { IsCharging: 0, ChargingCurrent: 0 };

/** Returns readings with the same signals, one every 10 s from `from` to `to` (ms since 1970, both included). */
function during(from: number, to: number, signals: Record<string, number>): ArrivedReading[] {
  const arrivals: ArrivedReading[] = [];
  for (let time = from; time <= to; time += 10 * SECOND)
    arrivals.push({ reading: { time, signals }, received: time + SECOND });
  return arrivals;
}

type Case = {
  readonly alias: string;
  /** Capacity of each pack in the machine's record, kWh. */
  readonly capacities: readonly number[];
  /** Readings in order of arrival. The newest is at `end`. The last change of charging has lasted long enough by then to be an event. */
  readonly arrivals: (end: number) => ArrivedReading[];
  /** Age of the newest reading, ms; above 10 minutes the machine is stale. */
  readonly ago: number;
};

/**
 * Age of the newest reading: more than the 30 s for which events wait for late readings, and more than a minute, so that a page fails
 * the test if it shows the present time instead of the reading's time.
 */
const SETTLED = 90 * SECOND;

const CASES: readonly Case[] = [
  {
    alias: 'Vol: twee namen voor accu 1, 100,4 %, en een klok die even voorliep',
    capacities: [100, 50],
    ago: SETTLED,
    arrivals: (end) => {
      const soc = { SocDisp: 36, Soc1: 100.4 };
      return [
        ...during(end - 40 * MINUTE, end - 30 * MINUTE, { ...OFF, ...soc, Soc2: 40 }),
        ...during(end - 30 * MINUTE + 10 * SECOND, end - 2 * MINUTE - 10 * SECOND, {
          ...ON,
          ...soc,
          Soc2: 96.6,
        }),
        {
          reading: { time: end + 4 * MINUTE, signals: { ...OFF, Soc1: 20, Soc2: 20 } },
          received: end - 2 * MINUTE - 5 * SECOND,
        },
        // The mean is 99.55 %. Levels clamped to 100 % before the mean would give 99.35 %, which is shown as another percent.
        ...during(end - 2 * MINUTE, end, { ...ON, ...soc, Soc2: 98.7 }),
      ];
    },
  },
  {
    alias: 'Begonnen',
    capacities: [100, 50],
    ago: SETTLED,
    arrivals: (end) => [
      ...during(end - 10 * MINUTE, end - 2 * MINUTE - 10 * SECOND, { ...OFF, Soc1: 40.4, Soc2: 61.4 }),
      ...during(end - 2 * MINUTE, end, { ...ON, Soc1: 40.4, Soc2: 61.4 }),
    ],
  },
  {
    alias: 'Accu 3 zwijgt, accu 2 bijna',
    capacities: [100, 50, 50],
    ago: SETTLED,
    arrivals: (end) => [
      ...during(end - 10 * MINUTE, end - 5 * MINUTE - 10 * SECOND, { ...OFF, Soc1: 40, Soc3: 90 }),
      // The value of pack 2 is exactly 5 minutes older than the newest reading: the oldest age at which it still counts.
      ...during(end - 5 * MINUTE, end - 5 * MINUTE, { ...OFF, Soc1: 40, Soc2: 71 }),
      ...during(end - 5 * MINUTE + 10 * SECOND, end - 2 * MINUTE - 10 * SECOND, { ...OFF, Soc1: 40 }),
      ...during(end - 2 * MINUTE, end, { ...ON, Soc1: 40 }),
    ],
  },
  {
    alias: 'Verouderd: begonnen tijdens een storing',
    capacities: [100],
    ago: 11 * MINUTE,
    arrivals: (end) => [
      ...during(end - 80 * MINUTE, end - 70 * MINUTE, { ...OFF, Soc1: 30 }),
      ...during(end - 2 * MINUTE, end, { ...ON, Soc1: 55 }),
    ],
  },
  {
    alias: 'Gestopt',
    capacities: [100],
    ago: SETTLED,
    arrivals: (end) => [
      ...during(end - 30 * MINUTE, end - 20 * MINUTE, { ...OFF, Soc1: 30 }),
      ...during(end - 20 * MINUTE + 10 * SECOND, end - 2 * MINUTE - 10 * SECOND, { ...ON, Soc1: 55 }),
      ...during(end - 2 * MINUTE, end, { ...OFF, Soc1: 55 }),
    ],
  },
];

const WORDS = {
  started: 'is begonnen met laden',
  stopped: 'is gestopt met laden',
  completed: 'is klaar met laden',
} as const;

/** Returns the values that the oracle computes at the newest reading. The requested range ends a second after it. */
function truthOf({ arrivals, capacities }: Case, end: number) {
  const range: Range = { from: end - 45 * MINUTE, to: end + SECOND };
  const arrived = arrivals(end);
  const stored = mergeAcceptedReadings(arrived.map(({ reading }) => reading));
  const readings = stored.filter(({ time }) => time <= end);
  const state = liveStateOf(arrived)!;
  const listed = capacities.map((capacity, n) => ({ pack: n + 1, capacity }));
  const values = socByPack(state.signals);
  const events = chargingEvents(
    readings,
    listed.map(({ pack }) => pack),
  );
  return {
    end,
    range,
    charged: activityBands(stored, range).charging.at(-1)!,
    signals: state.signals,
    values,
    isCharging: cableStateAt(readings, end) === 'charging',
    mean: formatPercent(meanOfPacks(values).mean),
    packs: listed.map(({ pack }) => formatPercent(values.get(pack))),
    events,
    last: events.at(-1)!,
    hoursLeft: remainingChargeTime(state, listed),
  };
}
type Truth = ReturnType<typeof truthOf>;

/** Returns the time of an event as the mail writes it. */
const whenOf = ({ time, after }: ChargingEvent): string =>
  after === undefined ? dateAndTime(time) : `tussen ${clockTime(after)} en ${clockTime(time)}`;

function checkMail(text: string, { end, packs, mean, last, hoursLeft }: Truth, stale: boolean): void {
  expect(text).toContain(`Wanneer: ${whenOf(last)}`);
  const perPack = packs.map((value, n) => `accu ${n + 1}: ${value}`).join(', ');
  expect(text).toMatch(
    packs.length > 1 ? `Accu: ${mean} gemiddeld (${perPack})\n` : new RegExp(`^Accu: ${mean}$`, 'm'),
  );
  if (last.kind !== 'started') return;
  expect(text).toContain(
    hoursLeft === null || stale
      ? 'Verwacht vol: --:--\n'
      : `Verwacht vol: ca. ${dateAndTime(end + hoursLeft * HOUR)} (laadtijd ${hoursAsClock(hoursLeft)})\n`,
  );
}

async function checkCalls(page: Page, serial: string, truth: Truth): Promise<void> {
  const { end, range, charged, signals, values, last } = truth;
  const all: LiveResponse = await (await page.request.get('/api/live')).json();
  expect(all[serial]?.liveData).toMatchObject({ ...signals, GMT_UNIX: end / SECOND });
  const query = new URLSearchParams({ start: iso(range.from), end: iso(range.to) });
  const chart: DayChart = await (await page.request.get(`/api/influx/day/${serial}?${query}`)).json();
  const lastBucket = chart.time.length - 1;
  for (const [pack, value] of values) {
    const ofPack = chart.packs.find(({ name }) => name === `Soc${pack}`);
    expect(ofPack?.last).toBe(value);
    // The last bucket of the chart has no mean for a pack that did not report in it.
    expect([value, null]).toContain(ofPack?.mean[lastBucket]);
  }
  const charging = chart.bands.findLast(({ kind }) => kind === 'charging');
  expect(charging).toMatchObject({ from: charged.from / SECOND, to: charged.to / SECOND });
  if (last.kind !== 'completed') expect(last.kind === 'started' ? charged.from : charged.to).toBe(last.time);
}

async function checkPage(page: Page, serial: string, truth: Truth, stale: boolean): Promise<void> {
  const { end, range, charged, mean, packs, isCharging, hoursLeft, values } = truth;
  await openMachine(page, serial, `?start=${iso(range.from)}&end=${iso(range.to)}`);
  const figure = (name: string) =>
    page
      .locator('dl', { has: page.locator('dt', { hasText: name }) })
      .locator('dd > span')
      .first();
  await expect(figure('Gemiddeld')).toHaveText(mean);
  await expect(panelRegion(page, 'Batterij Status').locator('ul').getByRole('listitem')).toHaveText(
    packs.map((value, n) => `Accu ${n + 1}${value}`),
  );
  const word = statusLabel(isCharging ? 'charging' : 'off');
  await expect(page.getByRole('status').filter({ hasText: /^(Laden|Draait|Uit|Stil .*)$/ })).toHaveText(
    stale ? `Stil (laatst ${word})` : word,
  );
  await expect(page.getByText(/^Laatst gezien: /)).toContainText(clockTime(end));
  const charge = panelRegion(page, 'Laad Status');
  await expect(charge).toContainText(
    stale ? 'Onbekend of de machine nu laadt.' : isCharging ? 'De machine laadt.' : 'De machine laadt niet.',
  );
  // The page of a stale machine shows no remaining time.
  const left = stale ? null : hoursLeft;
  await expect(figure('Resterende laadtijd')).toHaveText(hoursAsClock(left ?? undefined));
  if (left !== null && left > 0)
    await expect(charge).toContainText(`ca. vol om ${clockTime(end + left * HOUR)}`);

  const history = panelRegion(page, 'Verloop');
  for (const [pack, value] of values)
    await expect(
      history
        .locator('tr', { hasText: `Accu ${pack}` })
        .locator('td')
        .last(),
    ).toHaveText(formatPercent(value));
  const period = history.locator('tr').filter({ hasText: 'Laden' }).last().locator('td');
  await expect(period).toHaveText([
    dateAndTime(charged.from),
    dateAndTime(charged.to),
    hoursAsClock((charged.to - charged.from) / HOUR),
  ]);
}

const iso = (ms: number): string => new Date(ms).toISOString();

test('mail, API and page of a machine show the same values, equal to those that the oracle computes (12.D2) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  await signInByApi(page, email);
  const now = Math.floor(Date.now() / (10 * SECOND)) * 10 * SECOND;
  const machines = [];
  for (const of of CASES) {
    const { serial } = await machine({ alias: of.alias, capacities: [...of.capacities] });
    const answer = await page.request.post('/api/mail/subscribe', {
      data: { serialNumber: serial },
      headers: SCRIPT_HEADERS,
    });
    expect(answer.status()).toBe(200);
    const end = now - of.ago;
    const readings = of.arrivals(end).map(({ reading, received }) => ({ ...reading, receivedAt: received }));
    await recordReadings(portal, serial, readings);
    machines.push({ serial, stale: of.ago > 10 * MINUTE, truth: truthOf(of, end) });
  }
  const mailCount = machines.reduce((count, { truth }) => count + truth.events.length, 0);
  const mails = await portal.chargingMails(email, mailCount);
  for (const { serial, truth, stale } of machines) {
    const mail = mails.find(({ text }) => text.includes(`#${serial}) ${WORDS[truth.last.kind]}`));
    checkMail(mail?.text ?? '', truth, stale);
    await checkCalls(page, serial, truth);
    await checkPage(page, serial, truth, stale);
  }
});
