import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { deleteErasedDm1 } from '#server/redecoding/erased-dm1.ts';
import {
  REPLACEMENT_WINDOW_MS,
  type ReadingReplacement,
  storeReplacements,
} from '#server/redecoding/replace-readings.ts';
import { removeDm1 } from '#server/telemetry/dm1/dm1.store.ts';
import { readFirstReadingTime } from '#server/telemetry/readings/read-edges.ts';
import { readStoredReadings } from '#server/telemetry/readings/stored-readings.ts';
import { lockStreamStates } from '#server/telemetry/readings.store.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

/** A time in which a stream belonged to a former owner, half-open, ms; `from` is -Infinity for the first owner. */
export type ErasedPeriod = {
  readonly streamId: number;
  readonly organizationId: number;
  readonly from: number;
  readonly to: number;
};

/**
 * Deletes all data of a stream from a period: readings, with the figures, live data and days computed from them; charging sessions,
 * presences, alerts, webhook deliveries and events. Photo and manual stay, because they moved with the machine to its next owner.
 * Readings outside the period, their figures and the hour meter (decision 60) stay correct. Safe to repeat and to interrupt.
 * @param until value of performance.now() after which no further window of readings is erased
 * @returns false if `until` passed before all readings were erased
 */
export async function eraseHistory(
  pool: Pool,
  erased: ErasedPeriod,
  now: number,
  until: number,
): Promise<boolean> {
  while (await eraseWindow(pool, erased, now)) if (performance.now() > until) return false;
  await inTransaction(pool, (client) => eraseRest(client, erased));
  return true;
}

/**
 * Erases the readings of one window of time, which begins at the first reading in the period.
 * @returns false if the period has no readings
 */
const eraseWindow = (pool: Pool, { streamId, from, to }: ErasedPeriod, now: number): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const state = (await lockStreamStates(shardForStream(client, streamId), [streamId])).get(streamId);
    const first = state && (await readFirstReadingTime(client, { streamId, from, to }));
    if (!state || first === undefined) return false;
    const stored = await readStoredReadings(client, streamId, {
      from: first,
      to: Math.min(to, first + REPLACEMENT_WINDOW_MS),
    });
    const gone = stored.map(
      ({ time, signals }): ReadingReplacement => ({ time, before: signals, after: undefined }),
    );
    const runningMs = await storeReplacements(client, state, gone, now, true);
    await keepHours(client, { streamId, until: to, runningMs: -runningMs });
    return true;
  });

const keepHours = (
  client: Transaction,
  kept: { readonly streamId: number; readonly until: number; readonly runningMs: number },
) =>
  client.query(
    `insert into erased_hours (stream_id, until, running_ms) values ($1, $2, $3)
     on conflict (stream_id, until) do update set running_ms = erased_hours.running_ms + excluded.running_ms`,
    [kept.streamId, new Date(kept.until), kept.runningMs],
  );

/** Returns the bounds as query parameters. */
const bounds = ({ from, to }: Pick<ErasedPeriod, 'from' | 'to'>): [from: Date | string, to: Date] => [
  Number.isFinite(from) ? new Date(from) : '-infinity',
  new Date(to),
];

/**
 * Tables whose rows have a stream and one time, with the column of that time. Rows that are computed from readings are computed again
 * around the erased time.
 */
const TIMED = [
  ['charging_session', 'from_time'],
  ['charge_forecast', 'at'],
  ['presence', 'from_time'],
  ['terrein_presence', 'from_time'],
  ['redecoded', 'time'],
  ['erased_reading', 'time'],
  ['alert_cursor', 'time'],
] as const;

async function eraseRest(
  client: Transaction,
  { streamId, organizationId, from, to }: ErasedPeriod,
): Promise<void> {
  const shard = shardForStream(client, streamId);
  const range = bounds({ from, to });
  // Waits for running computations of erased days. A computation that began in the meantime fails.
  await shard.query('update telemetry.day_cursor set time = time where stream_id = $1', [streamId]);
  await removeDm1(client, streamId, { from, to });
  await deleteErasedDm1(client, streamId, { from, to });
  for (const [table, time] of TIMED)
    await shard.query(
      `delete from telemetry.${table} where stream_id = $1 and ${time} >= $2 and ${time} < $3`,
      [streamId, ...range],
    );
  await shard.query(
    `insert into telemetry.changed_history (stream_id, from_time)
     select $1, greatest($2, min(day)::timestamptz) from telemetry.day_figures where stream_id = $1 having min(day) is not null`,
    [streamId, range[0]],
  );
  await shard.query(
    `delete from telemetry.day_figures
     where stream_id = $1 and organization_id = $2 and day >= $3::date and day <= $4::date`,
    [streamId, organizationId, dayOf(from), dayOf(to)],
  );
  for (const [statement, values] of ADMINISTRATION)
    await client.query(statement, values(streamId, organizationId, range));
}

const dayOf = (ms: number): string => (Number.isFinite(ms) ? amsterdamDay(ms) : '-infinity');

type Values = (streamId: number, organizationId: number, range: readonly [unknown, unknown]) => unknown[];
const OF_STREAM: Values = (streamId, _, [from, to]) => [streamId, from, to];
const OF_OWNER: Values = (streamId, organizationId) => [streamId, organizationId];
const OF_BOTH: Values = (streamId, organizationId, [from, to]) => [streamId, organizationId, from, to];

/** SQL condition: the logger was bound to the stream at the time of an upload. */
const SENT = (time: string, serial: string) =>
  `exists (select from writer w where w.stream_id = $1 and w.logger_serial = ${serial}
     and ${time} >= greatest(w.valid_from, $2) and ${time} < least(w.valid_to, $3))`;

const ADMINISTRATION: readonly (readonly [string, Values])[] = [
  [`delete from object o where ${SENT('o.modified_at', 'o.logger_serial')}`, OF_STREAM],
  [
    `delete from quarantine q where ${SENT('q.received_at', 'q.logger_serial')} or (${SENT('q.held_from', 'q.logger_serial')} and q.held_to < $3)`,
    OF_STREAM,
  ],
  [
    `delete from logger_event e using writer w where w.id = e.writer_id and w.stream_id = $1 and e.at >= $2 and e.at < $3`,
    OF_STREAM,
  ],
  [
    `with gone as (
       delete from alert where stream_id = $1 and organization_id = $2 and since >= $3 and since < $4 returning id
     )
     delete from webhook_delivery d using gone, unnest(array['opened', 'closed', 'withdrawn']) as step
     where d.event_id = 'alert-' || gone.id || '-' || step`,
    OF_BOTH,
  ],
  [
    `delete from assignment a using project p where p.id = a.project_id and a.stream_id = $1 and p.organization_id = $2
       and a.valid_from < $4 and a.valid_to > $3`,
    OF_BOTH,
  ],
  [
    `delete from project_exception e using project p where p.id = e.project_id and e.stream_id = $1 and p.organization_id = $2
       and e.valid_from < $4 and e.valid_to > $3`,
    OF_BOTH,
  ],
  ['delete from alert_presence where stream_id = $1 and time >= $2 and time < $3', OF_STREAM],
  // Deletes the stored copies of readings that an administrator erased before, so that these readings can no longer be restored.
  ['delete from erasure where stream_id = $1 and from_time >= $2 and to_time <= $3', OF_STREAM],
  [
    'update erasure set from_time = $3 where stream_id = $1 and from_time >= $2 and from_time < $3',
    OF_STREAM,
  ],
  // A maintenance plan has no time, so an organization that owns the machine again keeps its plans.
  [
    `delete from maintenance_plan p where stream_id = $1 and organization_id = $2 and not exists (
       select from ownership w where w.stream_id = $1 and w.organization_id = $2 and w.valid_to = 'infinity'
     )`,
    OF_OWNER,
  ],
];
