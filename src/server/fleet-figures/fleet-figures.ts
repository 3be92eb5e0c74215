import { readPresentForecasts } from '#server/charging-sessions/present-forecasts.ts';
import { readActiveFaults } from '#server/fault-codes/fault-codes.store.ts';
import { type DuePlan, readMaintenance } from '#server/maintenance/maintenance.store.ts';
import { organizationsOfLimitedScope } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import { isVisibleNow, readPresentMachines } from '#server/projects/present.ts';
import { readContradictions } from '#server/streams/contradictions.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { FleetFigure, FleetFigures } from '#shared/contract/fleet-figures.ts';
import type { Scope } from '#shared/domain/access.ts';
import { compareBySeverity, type FaultEpisode } from '#shared/domain/fault-codes.ts';
import { knownEnergy, powerKw } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { shortContradictionText } from '#shared/domain/signal-contradiction.ts';
import { STALE_AFTER_MS } from '#shared/domain/staleness.ts';
import { forecastLevel } from '#shared/domain/usual-day.ts';
import { readMachineCharges } from './charges.store.ts';
import { type OwnedStream, readUsualDays, type UsualDaysCache } from './usual-days.ts';
import { readVisibleWork } from './work-of-days.ts';

/** Number of machines per statement. */
const PORTION = 1_000;
const MJ_PER_KWH = 3.6e9;

type Machine = OwnHistory & { readonly serial: string };

/**
 * Returns the figures of the overview that the live data do not contain, by serial number of the machine. These figures equal those on
 * the machine's page.
 * @param machines machines of the scope
 * @param now ms
 */
export async function fleetFigures(
  db: Database,
  scope: Scope,
  machines: readonly Machine[],
  usualDays: UsualDaysCache,
  now: number,
): Promise<FleetFigures> {
  const projects = await readProjectsNow(db, scope, now);
  const portions = Array.from({ length: Math.ceil(machines.length / PORTION) }, (_, n) =>
    machines.slice(n * PORTION, (n + 1) * PORTION),
  );
  const figures = await Promise.all(
    portions.map(async (portion): Promise<[string, FleetFigure][]> => {
      const owned = portion.map(presentOf);
      const [work, forecasts, reach, faults, contradictions, photos, plans] = await Promise.all([
        readVisibleWork(db, scope, portion, now),
        // A person who sees only the present day gets no forecast, because a forecast reveals what the machine did before.
        scope.limited?.onlyToday ? new Map<number, Range>() : readPresentForecasts(db, portion, now),
        readReach(db, usualDays, owned, now),
        readActiveFaults(db, owned, now),
        readContradictions(db, owned),
        readPhotos(db, portion),
        readMaintenance(
          db,
          portion.map(({ streamId }) => streamId),
          now,
        ),
      ]);
      return portion.map(({ streamId, serial }) => {
        const { sums, today } = work.get(streamId) ?? {};
        const out = today && knownEnergy(today.knownMs, today.outMj);
        const forecast = forecasts.get(streamId);
        const enough = reach.get(streamId);
        const project = projects.get(streamId);
        const photo = photos.get(streamId);
        const maintenance = nextMaintenance(plans.get(streamId));
        const contradiction = contradictions.get(streamId);
        const active = activeFaults(faults.get(streamId) ?? [], now);
        return [
          serial,
          {
            power: (sums && powerKw(sums)) ?? null,
            ...(today && {
              today: {
                running: today.runningMs / 1000,
                out: out == null ? null : out / MJ_PER_KWH,
                driven: (today.distanceMm - today.carriedMm) / 1000,
                carried: today.carriedMm / 1000,
                coverage: today.windowMs > 0 ? today.windowHeardMs / today.windowMs : null,
              },
            }),
            ...(forecast && {
              forecast: {
                from: new Date(forecast.from).toISOString(),
                to: new Date(forecast.to).toISOString(),
              },
            }),
            ...(enough && {
              enough: { until: enough.untilMs === null ? null : new Date(enough.untilMs).toISOString() },
            }),
            ...(active && { faults: active }),
            ...(contradiction && { contradiction: shortContradictionText(contradiction) }),
            ...(maintenance && { maintenance }),
            ...(photo !== undefined && { photo }),
            ...(project && { project }),
          },
        ];
      });
    }),
  );
  return Object.fromEntries(figures.flat());
}

/** Returns a stream with the time since which its present owner has owned it: the last of its ownerships, which has no end. */
const presentOf = ({ streamId, own }: OwnHistory) => ({
  streamId,
  ownedSince: own.at(-1)?.from ?? Number.POSITIVE_INFINITY,
});

/** Returns the plan that is due first; undefined for a machine without plans. @param plans in the order in which they are due */
function nextMaintenance(plans: readonly DuePlan[] = []): FleetFigure['maintenance'] {
  const [next] = plans;
  if (!next) return undefined;
  const { planName, state, by, dueHours, hoursLeft, dueDay, daysLeft } = next;
  return { planName, state, by, dueHours, hoursLeft, dueDay, daysLeft };
}

/** A fault that was not seen for this long may belong to an ECU that was removed. */
const FAULT_KNOWN_MS = 24 * 3_600_000;

/** Returns the number of active faults and the most severe one; undefined for none. */
function activeFaults(faults: readonly FaultEpisode[], now: number): FleetFigure['faults'] {
  const active = faults
    .filter(({ over, lastSeen }) => over === null && now - lastSeen <= FAULT_KNOWN_MS)
    .sort(compareBySeverity);
  const [worst] = active;
  if (!worst) return undefined;
  const { spn, fmi, isOldLayout, lamp } = worst;
  return { count: active.length, spn, fmi, isOldLayout, lamp };
}

/** Returns the hash of each stream's photo, by stream. */
async function readPhotos(
  db: Database,
  streams: readonly OwnHistory[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await db.query<{ id: number; hash: string }>(
    `select stream_id as id, hash from machine_file where kind = 'photo' and stream_id = any ($1)`,
    [streams.map(({ streamId }) => streamId)],
  );
  return new Map(rows.map(({ id, hash }) => [id, hash]));
}

type NamedProject = NonNullable<FleetFigure['project']>;

/** Returns the present project by stream. */
async function readProjectsNow(
  db: Database,
  scope: Scope,
  now: number,
): Promise<ReadonlyMap<number, NamedProject>> {
  const all = await readPresentMachines(db, organizationsOfLimitedScope(scope), scope.positionHours, now);
  const present = all.filter((one) => isVisibleNow(scope, one));
  const { rows } = await db.query<NamedProject>(
    'select id as "_id", name as project_name from project where id = any ($1)',
    [[...new Set(present.map(({ projectId }) => projectId))]],
  );
  const byId = new Map(rows.map((project) => [project._id, project]));
  return new Map(
    present.flatMap(({ streamId, projectId }) => {
      const project = byId.get(projectId);
      return project ? [[streamId, project]] : [];
    }),
  );
}

const AHEAD_MS = 24 * 3_600_000;

/**
 * `untilMs`: time at which the charge level falls below 20 %; null when it stays above 20 % in the next 24 hours, as far as usual
 * days are known.
 */
type Reach = { readonly untilMs: number | null };

/**
 * Returns how long the charge of each machine lasts on its usual days, by stream. Leaves out machines that charge, that
 * sent nothing for ten minutes, or that have no usual day.
 */
async function readReach(
  db: Database,
  usualDays: UsualDaysCache,
  machines: readonly OwnedStream[],
  now: number,
): Promise<Map<number, Reach>> {
  const charges = await readMachineCharges(db, machines, now, STALE_AFTER_MS);
  const working = machines.filter(({ streamId }) => charges.get(streamId)?.isCharging === false);
  const usual = await readUsualDays(db, usualDays, working, now, now + AHEAD_MS);
  return new Map(
    working.flatMap(({ streamId }) => {
      const charge = charges.get(streamId);
      const ahead = charge && forecastLevel(charge, usual.get(streamId) ?? [], now + AHEAD_MS);
      return ahead ? [[streamId, { untilMs: ahead.lowAt ?? null }]] : [];
    }),
  );
}
