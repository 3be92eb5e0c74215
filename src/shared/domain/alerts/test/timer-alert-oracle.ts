import type { RuleSettings } from '../kinds/kind.ts';
import type { TimerAlertKind } from '../kinds.ts';
import type { OracleEpisode } from './oracle.ts';

/**
 * Oracle for timer rules about silence, written from docs/alerts.md section 3 alone: it checks each silence separately. Other timer kinds
 * are not covered.
 */
export type TimerRule = { readonly key: string; readonly kind: SilenceKind; readonly settings: RuleSettings };

type SilenceKind = Extract<TimerAlertKind, 'silent' | 'unseen'>;

/** The events of one simulated machine, in ms and in order. */
export type SimulatedEvents = {
  /** When the portal received something. */
  readonly lastSeen: readonly number[];
  /** The time that the portal's clock shows at each evaluation; the clock may be wrong. */
  readonly evaluations: readonly number[];
  /** When shifts began. */
  readonly shifts: readonly number[];
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A portal that evaluated nothing for this long, in ms, counts as away; for the same time after its return it opens no alert. */
const AWAY = 10 * MINUTE;

/** By kind: a function that returns when a silence that began at `lastSeen` has lasted long enough for an alert. */
const FROM: Readonly<
  Record<SilenceKind, (lastSeen: number, threshold: number, shifts: readonly number[]) => number>
> = {
  silent: (lastSeen, threshold) => lastSeen + threshold * HOUR,
  unseen: (lastSeen, threshold, shifts) =>
    (shifts.find((shift) => shift > lastSeen) ?? Number.POSITIVE_INFINITY) + threshold * MINUTE,
};

/** Returns the evaluations that may open an alert: those at least AWAY after the portal started or returned. */
export function evaluationsThatMayAlert(evaluations: readonly number[]): number[] {
  let since = Number.NEGATIVE_INFINITY;
  return evaluations.filter((run, n) => {
    const before = evaluations[n - 1] ?? Number.NEGATIVE_INFINITY;
    if (Math.abs(run - before) > AWAY) since = run;
    return run - since >= AWAY;
  });
}

/** Returns the alerts of one machine, in order of time. */
export function timerAlertOracle(
  rules: readonly TimerRule[],
  { lastSeen, evaluations, shifts }: SimulatedEvents,
): OracleEpisode[] {
  const awake = evaluationsThatMayAlert(evaluations);
  return rules.flatMap(({ key, kind, settings: { threshold = 0 } }) =>
    lastSeen.flatMap((since, n): OracleEpisode[] => {
      const until = lastSeen[n + 1];
      const from = FROM[kind](since, threshold, shifts);
      if (until !== undefined && from >= until) return [];
      const at = awake.find((run) => run >= from);
      if (at === undefined || at >= (until ?? Number.POSITIVE_INFINITY)) return [];
      return [{ key, since, at, ...(until !== undefined && { until }) }];
    }),
  );
}
