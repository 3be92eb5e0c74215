import type { ClockKind, RuleSettings } from '../kinds.ts';
import type { OracleEpisode } from './oracle.ts';

/**
 * The alerts of a machine that the portal's clock tells, from docs/alerts.md section 3 alone: every silence is looked at for itself.
 * Kinds that tell of something else than silence are not here.
 */
export type ClockRule = { readonly key: string; readonly kind: SilenceKind; readonly settings: RuleSettings };

type SilenceKind = Extract<ClockKind, 'silent' | 'unseen'>;

/** What happened; ms, in order. */
export type Course = {
  /** When something came in. */
  readonly heard: readonly number[];
  /** What the portal's clock said at each look, whether it was right or not. */
  readonly looks: readonly number[];
  /** When shifts began. */
  readonly shifts: readonly number[];
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Without a look for so long the portal was away, and for so long after that nothing begins. */
const AWAY = 10 * MINUTE;

/** From when on a silence that began then is told. */
const FROM: Readonly<
  Record<SilenceKind, (heard: number, threshold: number, shifts: readonly number[]) => number>
> = {
  silent: (heard, threshold) => heard + threshold * HOUR,
  unseen: (heard, threshold, shifts) =>
    (shifts.find((shift) => shift > heard) ?? Number.POSITIVE_INFINITY) + threshold * MINUTE,
};

/** Looks by which something may begin. */
export function wakeful(looks: readonly number[]): number[] {
  let since = Number.NEGATIVE_INFINITY;
  return looks.filter((look, n) => {
    const before = looks[n - 1] ?? Number.NEGATIVE_INFINITY;
    if (Math.abs(look - before) > AWAY) since = look;
    return look - since >= AWAY;
  });
}

/** Of one machine, in order of time. */
export function clockOracle(rules: readonly ClockRule[], { heard, looks, shifts }: Course): OracleEpisode[] {
  const awake = wakeful(looks);
  return rules.flatMap(({ key, kind, settings: { threshold = 0 } }) =>
    heard.flatMap((since, n): OracleEpisode[] => {
      const until = heard[n + 1];
      const from = FROM[kind](since, threshold, shifts);
      if (until !== undefined && from >= until) return [];
      const at = awake.find((look) => look >= from);
      if (at === undefined || at >= (until ?? Number.POSITIVE_INFINITY)) return [];
      return [{ key, since, at, ...(until !== undefined && { until }) }];
    }),
  );
}
