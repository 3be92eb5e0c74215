/** The preview of an alert rule, of each kind, over 30 days at 0.1 Hz of 100 machines (docs/alerts.md section 5). */
import type { AlertPreview } from '#shared/contract/alerts.ts';
import { type AlertKind, MACHINE_KINDS, usualSettings } from '#shared/domain/alerts/kinds.ts';
import { startBenchPortal } from './bench-portal.ts';
import { waitUntilCounted } from './day-figures.bench.ts';
import { DAYS, fillHistory } from './history-data.ts';
import { median } from './median.ts';
import { type Bench, whole } from './row.ts';

const PREVIEWED = Number(process.env.HISTORY_MACHINES ?? 100);
const REACH_PREVIEW_MS = 2_000;

export const previews: Bench = async (place) => {
  const portal = await startBenchPortal(place);
  const streams = (await portal.machines(PREVIEWED)).map(({ streamId }) => streamId);
  await fillHistory(portal, streams, place.say);
  place.say('Counting the days');
  await waitUntilCounted(portal.pool, streams);
  const cookie = await portal.signIn();
  const ask = async (kind: AlertKind) => {
    const began = performance.now();
    const answer = await fetch(`${portal.address}/api/alert-rule/preview`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'x-requested-with': 'bench' },
      body: JSON.stringify({
        kind,
        settings: usualSettings(kind),
        hours: 'always',
        machines: { by: 'all' },
        isOwn: false,
        organization: 'bench',
      }),
    });
    const found = (await answer.json()) as AlertPreview;
    if (!answer.ok) throw new Error(JSON.stringify(found));
    return { ms: performance.now() - began, found };
  };
  const asked: { kind: AlertKind; ms: number; text: string }[] = [];
  for (const kind of MACHINE_KINDS) {
    const times = [await ask(kind), await ask(kind), await ask(kind)];
    const ms = median(times.map((one) => one.ms));
    const { count = 0, machines } = times[0]?.found ?? {};
    const text = `${kind} ${whole(ms)} ms (${count} times, ${machines?.looked} of ${machines?.all} machines)`;
    place.say(text);
    asked.push({ kind, ms, text });
  }
  const slowest = Math.max(...asked.map(({ ms }) => ms));
  return [
    {
      what: `preview of a rule over ${DAYS} days at 0.1 Hz of ${PREVIEWED} machines, the slowest kind`,
      measured: `${whole(slowest)} ms`,
      reach: `<= ${whole(REACH_PREVIEW_MS)} ms`,
      reached: slowest <= REACH_PREVIEW_MS,
      notes: asked.map(({ text }) => text),
    },
  ];
};
