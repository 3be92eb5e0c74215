import type { Database } from '#server/platform/database.ts';
import type { ChargingFigures } from '#shared/domain/alerts/kinds/charging.ts';
import { SUBSCRIPTION_ALERT_KINDS } from '#shared/domain/alerts/kinds.ts';
import type { Episode } from '#shared/domain/alerts/watch.ts';
import type { ChargingEvent } from '#shared/domain/charging-events.ts';
import {
  isSameEvent,
  MAIL_INTERVAL_MS,
  type StoredChargingEvent,
  shouldMailChargingEvent,
} from '#shared/domain/charging-mail-rules.ts';

/**
 * Finds charging events that are not recorded yet among the episodes that the evaluation of readings found. Charging events are never
 * withdrawn, and charging-mail-rules.ts decides which of them notify.
 */

export type UnrecordedEvent = {
  readonly streamId: number;
  readonly episode: Episode;
  readonly notifies: boolean;
};

type Found = { readonly streamId: number; readonly episodes: readonly Episode[] };

/**
 * Returns the charging events that are not recorded yet.
 * @param evaluations one per stream, each with its episodes in order of time
 */
export async function findUnrecordedEvents(
  db: Database,
  evaluations: readonly Found[],
  now: number,
): Promise<UnrecordedEvent[]> {
  const found = evaluations.flatMap(({ streamId, episodes }) =>
    episodes.flatMap((episode) =>
      episode.event ? [{ streamId, episode, event: episode.event, key: `${streamId} ${episode.key}` }] : [],
    ),
  );
  if (found.length === 0) return [];
  const known = await knownCharging(
    db,
    [...new Set(found.map(({ streamId }) => streamId))],
    Math.min(...found.map(({ event }) => event.from)),
  );
  return [...Map.groupBy(found, ({ key }) => key)].flatMap(([key, all]) =>
    filterUnrecordedEvents(
      all.map((one) => ({ ...one, now })),
      known.get(key) ?? [],
    ),
  );
}

/**
 * Returns the events that are not recorded yet, each with whether people are notified of it.
 * @param found events in order of time, each with the time at which it was detected
 * @param recorded events that were recorded by the same rule for the same machine
 */
export function filterUnrecordedEvents<Found extends { readonly event: ChargingEvent; readonly now: number }>(
  found: readonly Found[],
  recorded: readonly StoredChargingEvent[] = [],
): (Found & { readonly notifies: boolean })[] {
  const known = [...recorded];
  return found.flatMap((one) => {
    const { event, now } = one;
    if (known.some((other) => isSameEvent(event, other))) return [];
    const mailed = shouldMailChargingEvent(event, known, now);
    known.push({ ...event, mailed });
    return [{ ...one, notifies: mailed }];
  });
}

/** Returns the events that were recorded since `sinceMs`, or at most MAIL_INTERVAL_MS before it, by stream and rule. */
async function knownCharging(
  db: Database,
  streamIds: readonly number[],
  sinceMs: number,
): Promise<Map<string, StoredChargingEvent[]>> {
  const { rows } = await db.query<{
    key: string;
    since: Date;
    until: Date;
    at: Date;
    figures: ChargingFigures;
    mailed: boolean;
  }>(
    `select stream_id || ' ' || rule_id || '.' || version as key, since, until, at, data as figures, is_news as mailed from alert
     where stream_id = any ($1::int[]) and kind = any ($3) and greatest(until, at) >= $2`,
    [streamIds, new Date(sinceMs - MAIL_INTERVAL_MS), SUBSCRIPTION_ALERT_KINDS],
  );
  const known = rows.map(({ key, since, until, at, figures: { kind, soc }, mailed }) => ({
    key,
    event: {
      kind,
      ...eventSpan(since, until),
      knownAt: at.getTime(),
      ...(soc !== undefined && { soc }),
      mailed,
    },
  }));
  return new Map(
    [...Map.groupBy(known, ({ key }) => key)].map(([key, all]) => [key, all.map(({ event }) => event)]),
  );
}

/** Returns the span of an event; without `to` it happened at one moment. */
export const eventSpan = (since: Date, until: Date): Pick<ChargingEvent, 'from' | 'to'> =>
  until > since ? { from: since.getTime(), to: until.getTime() } : { from: since.getTime() };
