import { ownedSegmentsOf } from '#server/history/range.ts';
import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { packStatisticSql } from '#server/telemetry/rollup-columns.ts';
import type { MeasuredCapacity } from '#shared/contract/charging-sessions.ts';
import { MIN_UNMARKED_KNOWN_SHARE } from '#shared/domain/figures.ts';
import { BUCKET_MS, MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { MAX_PACK_COUNT } from '#shared/domain/packs.ts';
import {
  type EnergyChange,
  levelRisePoints,
  type PackPercents,
  roundTripEfficiency,
  usableCapacity,
} from '#shared/domain/usable-capacity.ts';
import { readSessions, type StoredSession } from './stored-sessions.ts';

/** Number of days of history that are read: in earlier days the machine may have had another battery. */
const DAYS = 90;
const DAY_MS = 86_400_000;
/** Maximum number of sessions that are read: 22 a day over 90 days. */
const MOST = 2_000;
const MJ_PER_KWH = 3.6e9;
/**
 * Maximum energy that may be charged during a discharge, as a share of the discharged energy: the last energy of a charge may be
 * reported after the charge has ended.
 */
const MAX_CHARGED_SHARE = 0.01;

/** Returns the usable capacity and efficiency of a machine's batteries, from the last 90 days in the caller's ownership. */
export async function measureUsableCapacity(
  db: Database,
  history: OwnHistory,
  now: number,
): Promise<MeasuredCapacity> {
  const { streamId, own } = history;
  const { rows } = await db.query<{ batteries: { capacity: number | null }[] }>(
    'select batteries from machine where stream_id = $1',
    [streamId],
  );
  const capacities = (rows[0]?.batteries ?? []).map(({ capacity }) => capacity);
  const ranges = ownedSegmentsOf({ from: now - DAYS * DAY_MS, to: now }, own);
  const sessions = (await readSessions(db, streamId, ranges, MOST, now)).reverse();
  const over = sessions.filter(({ ended }) => ended !== null);
  const charge = usableCapacity(over.flatMap((session) => chargeOf(session, capacities)));
  const discharge = usableCapacity(await dischargesOf(db, streamId, own, sessions, capacities));
  const entered = capacities.every((kWh) => kWh !== null) && capacities.length > 0;
  return {
    entered: entered ? capacities.reduce((sum: number, kWh) => sum + (kWh ?? 0), 0) : null,
    charge: charge ?? null,
    discharge: discharge ?? null,
    efficiency: roundTripEfficiency(discharge, charge) ?? null,
  };
}

/**
 * Returns the energy and the rise in charge level of a session; empty if the session paused too long, because the energy in a pause
 * is unknown.
 */
function chargeOf(session: StoredSession, capacities: readonly (number | null)[]): EnergyChange[] {
  const { from, to, chargingMs, chargedMj, socFrom, socTo } = session;
  const points = levelRisePoints(socFrom, socTo, capacities);
  return points === undefined || chargingMs < MIN_UNMARKED_KNOWN_SHARE * (to - from)
    ? []
    : [{ kWh: chargedMj / MJ_PER_KWH, points }];
}

type Row = {
  first: number;
  last: number;
  outMj: number;
  inMj: number;
  chargedMj: number;
  heardMs: number;
  knownMs: number;
  begin: PackPercents;
  end: PackPercents;
};

const PACKS = Array.from({ length: MAX_PACK_COUNT }, (_, pack) => pack);
const highest = `array[${PACKS.map((pack) => packStatisticSql(pack, 'max')).join(', ')}]`;
const lowest = `array[${PACKS.map((pack) => packStatisticSql(pack, 'min')).join(', ')}]`;

/**
 * Returns the discharges between two sessions, over the whole buckets between them: from the highest state of charge of the first
 * bucket to the lowest of the last. Leaves out discharges whose energy is unknown.
 */
async function dischargesOf(
  db: Database,
  streamId: number,
  own: readonly Range[],
  sessions: readonly StoredSession[],
  capacities: readonly (number | null)[],
): Promise<EnergyChange[]> {
  const between = own.flatMap((owned) => gapsIn(owned, sessions));
  if (between.length === 0) return [];
  const { rows } = await shardForStream(db, streamId).query<Row>(
    `with gap as (
       select * from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as g ("from", "to", n)
     ), sums as (
       select n, min(bucket) filter (where packs is not null) as first, max(bucket) filter (where packs is not null) as last,
         sum(out_mj)::float8 as out_mj, sum(in_mj)::float8 as in_mj, sum(charged_mj)::float8 as charged_mj,
         sum(heard_ms)::float8 as heard_ms, sum(known_ms)::float8 as known_ms
       from gap join telemetry.rollup r on r.stream_id = $1 and r.bucket >= "from" and r.bucket < "to"
       where r.bucket >= $4 and r.bucket < $5 group by n
     )
     select date_part('epoch', "from") * 1000 as first, date_part('epoch', "to") * 1000 as last, out_mj, in_mj, charged_mj, heard_ms,
       known_ms, (select ${highest} from telemetry.rollup where stream_id = $1 and bucket = sums.first) as begin,
       (select ${lowest} from telemetry.rollup where stream_id = $1 and bucket = sums.last) as "end"
     from sums join gap using (n) where sums.first is not null`,
    [
      streamId,
      between.map(({ from }) => new Date(from)),
      between.map(({ to }) => new Date(to)),
      new Date(Math.min(...between.map(({ from }) => from))),
      new Date(Math.max(...between.map(({ to }) => to))),
    ],
  );
  return rows.flatMap((row) => dischargeOf(row, capacities));
}

/** Returns the whole buckets between consecutive sessions of one owner, which contain no reading of another owner. */
function gapsIn(owned: Range, sessions: readonly StoredSession[]): Range[] {
  const theirs = sessions.filter(({ from }) => owned.from <= from && from < owned.to);
  return theirs.slice(1).flatMap((next, n) => {
    const earliest = Math.max((theirs[n] as StoredSession).to, owned.from + 2 * MAX_GAP_MS);
    const from = Math.ceil(earliest / BUCKET_MS) * BUCKET_MS;
    const to = Math.floor(Math.min(next.from, owned.to - MAX_GAP_MS) / BUCKET_MS) * BUCKET_MS;
    return from < to ? [{ from, to }] : [];
  });
}

function dischargeOf(row: Row, capacities: readonly (number | null)[]): EnergyChange[] {
  const isMostlyKnown = row.heardMs >= MIN_UNMARKED_KNOWN_SHARE * (row.last - row.first);
  const isKnown = row.knownMs >= MIN_UNMARKED_KNOWN_SHARE * row.heardMs;
  const isPure = row.chargedMj <= MAX_CHARGED_SHARE * row.outMj;
  const points = levelRisePoints(row.end, row.begin, capacities);
  return points !== undefined && isMostlyKnown && isKnown && isPure
    ? [{ kWh: (row.outMj - row.inMj) / MJ_PER_KWH, points }]
    : [];
}
