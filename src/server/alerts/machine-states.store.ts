import { readPresentForecasts } from '#server/charging-sessions/present-forecasts.ts';
import { readSessions } from '#server/charging-sessions/stored-sessions.ts';
import { readActiveFaults } from '#server/fault-codes/fault-codes.store.ts';
import { readMachineCharges } from '#server/fleet-figures/charges.store.ts';
import { readUsualDays, type UsualDaysCache } from '#server/fleet-figures/usual-days.ts';
import { readMaintenance } from '#server/maintenance/maintenance.store.ts';
import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { readCalendars } from '#server/work-weeks/calendars.store.ts';
import { EVALUATIONS } from '#shared/domain/alerts/evaluations.ts';
import type { MachineFactKind } from '#shared/domain/alerts/kinds/kind.ts';
import { ALERT_KINDS, type TimerAlertKind } from '#shared/domain/alerts/kinds.ts';
import { MAX_READING_DELAY_MS, type MachineState } from '#shared/domain/alerts/machine-state.ts';
import { workWeekAt } from '#shared/domain/alerts/work-calendar.ts';
import { DEFAULT_WORK_WEEK, shiftAt, type WorkWeek } from '#shared/domain/alerts/work-week.ts';
import { forecastFullCharge } from '#shared/domain/charge-forecast.ts';
import { STALE_AFTER_MS } from '#shared/domain/staleness.ts';
import type { ActiveRule, OwnedMachine } from './active-rules.store.ts';

/** Reads the state of machines for timer rules. */

const historyOf = ({ streamId, ownedSince }: OwnedMachine): OwnHistory => ({
  streamId,
  own: [{ from: ownedSince, to: Number.POSITIVE_INFINITY }],
});

export type TimerRule = ActiveRule & { readonly kind: TimerAlertKind };

const DAY_MS = 86_400_000;
/**
 * How many days of earlier charging sessions are read, with at most MAX_CHARGES sessions: the same as for the forecast of a
 * running charge.
 */
const CHARGES_DAYS = 90;
const MAX_CHARGES = 400;

/** A charge level that is older than this no longer describes the battery. */
const CHARGE_KNOWN_MS = DAY_MS;

type Asked = {
  readonly rules: readonly TimerRule[];
  readonly machines: readonly OwnedMachine[];
  readonly covers: (rule: TimerRule, machine: OwnedMachine) => boolean;
  readonly usualDays: UsualDaysCache;
};

/** Reads the state of each machine, as far as these rules need it. */
export async function readMachineStates(
  db: Database,
  { rules, machines, covers, usualDays }: Asked,
  now: number,
): Promise<Map<number, MachineState>> {
  const calendars = await readCalendars(db, machines, { from: now, to: now });
  const weekOf = ({ streamId }: OwnedMachine): WorkWeek => {
    const calendar = calendars.get(streamId);
    return calendar ? workWeekAt(calendar, now) : DEFAULT_WORK_WEEK;
  };
  const machinesOf = (fact: MachineFactKind): OwnedMachine[] => {
    const asking = rules.filter(({ kind }) => ALERT_KINDS[kind].needs === fact);
    return machines.filter((machine) =>
      asking.some((rule) => {
        const { isDue } = EVALUATIONS[rule.kind];
        return covers(rule, machine) && (isDue?.(weekOf(machine), rule.settings, now) ?? true);
      }),
    );
  };
  const waiting = machinesOf('forecast');
  const working = machinesOf('usual-day');
  const lastSeen = await readLastSeen(db, machines, now);
  const charges = new Map([
    ...(await readMachineCharges(db, working, now, STALE_AFTER_MS)),
    ...(await readMachineCharges(db, waiting, now, CHARGE_KNOWN_MS)),
  ]);
  const full = await readPresentForecasts(db, waiting.map(historyOf), now);
  const usual = await readUsualDays(
    db,
    usualDays,
    working
      .filter(({ streamId }) => charges.get(streamId)?.isCharging === false)
      .sort((a, b) => (charges.get(a.streamId)?.percent ?? 0) - (charges.get(b.streamId)?.percent ?? 0)),
    now,
    working.reduce((last, machine) => Math.max(last, shiftAt(weekOf(machine), now)?.to ?? now), now),
  );
  const served = machinesOf('plans').map(({ streamId }) => streamId);
  const plans = await readMaintenance(db, served, now);
  const faults = await readActiveFaults(db, machinesOf('faults'), now - DAY_MS);
  return new Map(
    machines.map((machine) => {
      const { streamId, ownedSince } = machine;
      const lastSeenAt = lastSeen.get(streamId);
      const charge = charges.get(streamId);
      return [
        streamId,
        {
          lastSeenAt: lastSeenAt === undefined ? undefined : Math.max(lastSeenAt, ownedSince),
          week: weekOf(machine),
          charge: charge && { ...charge, full: full.get(streamId), usual: usual.get(streamId) ?? [] },
          plans: plans.get(streamId) ?? [],
          faults: faults.get(streamId) ?? [],
        },
      ];
    }),
  );
}

/** Adds the expected duration of a charge, from earlier charges of the machine. */
export async function addExpectedChargeDuration(
  db: Database,
  { streamId, ownedSince }: OwnedMachine,
  machineState: MachineState,
  now: number,
): Promise<MachineState> {
  const { charge } = machineState;
  if (!charge) return machineState;
  const range = { from: Math.max(ownedSince, now - CHARGES_DAYS * DAY_MS), to: now };
  const sessions = await readSessions(db, streamId, [range], MAX_CHARGES, now);
  const past = sessions.filter(({ ended }) => ended !== null).reverse();
  const course = { firstPercent: undefined, reachedMs: [] };
  const full = forecastFullCharge(past, {
    at: now,
    percent: charge.percent,
    watts: past.at(-1)?.watts,
    course,
  });
  return { ...machineState, charge: { ...charge, takesMs: full && full.to - now } };
}

/** Returns when the portal last received something from each machine that ever reported, by the portal's clock, in ms. */
async function readLastSeen(
  db: Database,
  machines: readonly OwnedMachine[],
  now: number,
): Promise<Map<number, number>> {
  const rows = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<{ id: number; time: number; stored: number }>(
      `select stream_id as id, extract(epoch from time)::float8 * 1000 as time, extract(epoch from updated_at)::float8 * 1000 as stored
     from telemetry.latest where stream_id = any ($1::int[]) and isfinite(time)`,
      [own.map(({ streamId }) => streamId)],
    ),
  );
  return new Map(rows.map(({ id, time, stored }) => [id, lastSeenAt(time, stored, now)]));
}

const lastSeenAt = (time: number, stored: number, now: number): number =>
  stored - time > MAX_READING_DELAY_MS ? time : Math.min(stored, now);
