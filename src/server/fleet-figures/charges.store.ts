import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { type MachineCharge, machineChargeOf } from '#shared/domain/alerts/machine-state.ts';
import { liveDataOf } from '#shared/domain/live-data.ts';
import type { OwnedStream } from './usual-days.ts';

/** Accepts readings whose time is at most this much in the future, because the logger's clock may be fast. */
const AHEAD_MS = 86_400_000;

/** Returns the charge level and charging status of the machines that reported in the last `knownMs`, by stream. */
export async function readMachineCharges(
  db: Database,
  machines: readonly OwnedStream[],
  now: number,
  knownMs: number,
): Promise<Map<number, MachineCharge>> {
  const rows = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<{
      id: number;
      time: number;
      signals: Record<string, [number, number]>;
    }>(
      `select stream_id as id, extract(epoch from heard_at)::float8 * 1000 as time, signals from telemetry.latest
     where stream_id = any ($1::int[]) and heard_at > $2 and heard_at <= $3`,
      [own.map(({ streamId }) => streamId), new Date(now - knownMs), new Date(now + AHEAD_MS)],
    ),
  );
  const sinceOf = new Map(machines.map(({ streamId, ownedSince }) => [streamId, ownedSince]));
  const charges = new Map<number, MachineCharge>();
  for (const { id, time, signals } of rows) {
    const ownedSince = sinceOf.get(id) ?? Number.POSITIVE_INFINITY;
    const own = Object.entries(signals).flatMap(([name, [value, at]]) =>
      at >= ownedSince ? [[name, { value, time: at }] as const] : [],
    );
    const charge = machineChargeOf(liveDataOf(own, time), time);
    if (charge) charges.set(id, charge);
  }
  return charges;
}
