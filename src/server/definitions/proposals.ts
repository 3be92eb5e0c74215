import type { MappingProposal } from '#shared/contract/definition.ts';
import { getOwnProperty } from '#shared/domain/own-value.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { matchUnit, type UnitMatch } from '#shared/domain/signal-units.ts';
import { type DescribedCandidate, describeCandidates, type ProposalCandidate } from './described-signals.ts';
import { type QuantityMeaning, quantityMeaningsOfWords } from './quantity-words.ts';
import { isEnumeration, isFlagSignal } from './signal-shape.ts';

type Rule = {
  /** The name or the comment must contain a word of each meaning. */
  readonly all: readonly QuantityMeaning[];
  /** A word of one of these meanings excludes the signal. */
  readonly none?: readonly QuantityMeaning[];
  /** A word of this meaning ranks the signal higher. */
  readonly likes?: QuantityMeaning;
  /** Kind of the signal's values: a measured number, on or off, or one of several states. */
  readonly values: 'measured' | 'flag' | 'code';
  /** Minimum number of bits of a measured value. */
  readonly bits?: number;
  /** Maximum number of other words in the name, for a rule whose words also occur in names of other quantities. */
  readonly mostOthers?: number;
};

const measured = { values: 'measured', bits: 5 } as const;
/** Values of a position: they need more bits than a number of whole degrees. */
const place = { values: 'measured', bits: 16 } as const;
const code = { values: 'code', mostOthers: 1 } as const;
const SOC: Rule = { ...measured, all: ['soc'] };

const RULES: Readonly<Record<string, Rule>> = {
  LATITUDE: { ...place, all: ['latitude'], none: ['motion'] },
  LONGITUDE: { ...place, all: ['longitude'], none: ['motion'] },
  MotorSpeed: { ...measured, all: ['motor', 'rotation'] },
  ChargingCurrent: { ...measured, all: ['charging', 'current'], none: ['soc'] },
  ChargingVoltage: { ...measured, all: ['charging', 'voltage'], none: ['soc'] },
  BatteryCurrent: { ...measured, all: ['battery', 'current'], none: ['charging', 'motor'] },
  BatteryVoltage: { ...measured, all: ['battery', 'voltage'], none: ['charging', 'motor'] },
  Speed: { ...measured, all: ['speed'], none: ['motor'], likes: 'machine' },
  Machinestatus: { ...code, all: ['machine', 'status'], none: ['charging', 'battery'] },
  Spoor: { ...code, all: ['track'], none: ['position'] },
  Spoorstand: { ...code, all: ['track', 'position'] },
  IsCharging: {
    values: 'flag',
    mostOthers: 2,
    all: ['charging', 'flag'],
    none: ['current', 'voltage', 'soc'],
  },
};
const ruleOf = (to: string): Rule | undefined => (/^Soc\d$/.test(to) ? SOC : getOwnProperty(RULES, to));

const MAX_PER_SIGNAL = 5;

/**
 * Returns, for each target, the DBC signals whose name, unit, size and comment fit: best first, at most five. A setpoint, such as a
 * set speed, is never proposed first or alone, because a wrong proposal is worse than none.
 */
export function proposeMappings(
  targets: readonly string[],
  candidates: readonly ProposalCandidate[],
): MappingProposal[] {
  const described = describeCandidates(candidates);
  return SIGNALS.map(({ name }) => name)
    .filter((to) => targets.includes(to))
    .flatMap((to) => {
      const found = described
        .flatMap((one) => {
          const likelihood = score(to, one);
          return likelihood > 0 ? { one, likelihood } : [];
        })
        .sort((a, b) => b.likelihood - a.likelihood)
        .map(({ one }) => one);
      const first = found.find(({ wishes }) => wishes === 0);
      if (!first) return [];
      return [first, ...found.filter((one) => one !== first)]
        .slice(0, MAX_PER_SIGNAL)
        .map(({ candidate }) => {
          const { factor } = matchUnit(to, candidate);
          const { bus, message, name: signal } = candidate;
          return { to, bus, message, signal, ...(factor !== undefined && { factor }) };
        });
    });
}

/** Returns how well a candidate fits a target: 0 if it is another quantity, higher if it is more likely. */
function score(to: string, one: DescribedCandidate): number {
  const rule = ruleOf(to);
  const { candidate, words, commentMeanings, wishes, nearly } = one;
  const { kind: fit } = matchUnit(to, candidate);
  if (!rule || fit === 'another' || fit === 'unknown') return 0;
  const meanings = fit === 'none' ? one.meanings : one.meaningsWithUnit;
  if (!rule.all.every((word) => meanings.has(word)) || rule.none?.some((word) => meanings.has(word)))
    return 0;
  if (!fitsValues(rule, candidate, meanings, fit)) return 0;
  const more = words.filter((word) => !/^\d+$/.test(word)).length - rule.all.length;
  if (more > (rule.mostOthers ?? more)) return 0;
  const battery = /^Soc(\d)$/.exec(to)?.[1];
  if (battery !== undefined && batteryNumberIn(words) !== Number(battery)) return 0;
  return Math.max(
    1,
    50 +
      { own: 20, scaled: 5, none: 0 }[fit] +
      (rule.all.every((word) => commentMeanings.has(word)) ? 10 : 0) +
      (rule.likes && meanings.has(rule.likes) ? 10 : 0) -
      15 * (wishes + nearly) -
      2 * more,
  );
}

/** Returns whether the values of a candidate can be those of the target. */
function fitsValues(
  rule: Rule,
  candidate: ProposalCandidate,
  meanings: ReadonlySet<QuantityMeaning>,
  fit: UnitMatch['kind'],
): boolean {
  if (rule.values === 'flag') return isFlagSignal(candidate);
  if (rule.values === 'code') return true;
  const { bitCount } = candidate;
  if (bitCount !== undefined && bitCount < (rule.bits ?? 1)) return false;
  // Without a unit, 'SpeedActive' and 'SocStatus' are states.
  return fit !== 'none' || !(meanings.has('flag') || meanings.has('status') || isEnumeration(candidate));
}

/**
 * Returns the number of the battery in a name: the number after Soc, otherwise the last number before it, otherwise 1. A number of
 * three or more digits belongs to a message.
 */
function batteryNumberIn(words: readonly string[]): number {
  const isNumber = (word: string): boolean => /^\d{1,2}$/.test(word);
  const soc = words.findIndex((word) => quantityMeaningsOfWords([word]).has('soc'));
  return Number(words.slice(soc + 1).find(isNumber) ?? words.slice(0, soc + 1).findLast(isNumber) ?? 1);
}
