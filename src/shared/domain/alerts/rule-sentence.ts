/** An alert rule as a Dutch sentence, for lists, forms and confirmations (docs/alerts.md). */
import { formatExactNumber } from '../nl.ts';
import type { RuleSettings } from './kinds/kind.ts';
import { type AlertKind, kindDefinition, type RuleHours, thresholdUnitOf } from './kinds.ts';

type Rule = {
  readonly kind: AlertKind;
  readonly settings: RuleSettings;
  readonly hours: RuleHours;
  readonly machines?: { readonly by: MachinesBy };
};
type MachinesBy = 'all' | 'labels' | 'projects' | 'terreinen' | 'chosen';

/**
 * Returns a rule as one sentence, and a second sentence if the rule says when its alert closes: 'Meld het als een accu van een machine
 * met label Nachtploeg 2 minuten achter elkaar onder 20% is zonder dat er wordt geladen. De melding sluit zodra …'.
 * @param of a text for the machines, from `machinesOfRuleText`
 */
export function ruleSentence({ kind, settings, hours: during, machines }: Rule, of = 'een machine'): string {
  const { threshold, clear, hold = 0, clearHold = 0, ahead } = settings;
  const { when, ends } = kindDefinition(kind).clauses(of, {
    threshold: withTime(threshold, thresholdUnitOf(kind)),
    clear: number(clear),
    ahead: minutes(ahead),
    hold: hold > 0 ? ` ${minutes(hold)} achter elkaar` : '',
    clearHold: clearHold > 0 ? ` ${minutes(clearHold)}` : '',
    isOfPlaces: machines?.by === 'projects' || machines?.by === 'terreinen',
  });
  const at = { always: '', work: ' in werktijd', outside: ' buiten werktijd' }[during];
  return `Meld het${at} als ${when}.${ends === undefined ? '' : ` De melding sluit zodra ${ends}.`}`;
}

/** Maximum number of machine names in a sentence. */
const MAX_NAMED = 3;

/**
 * Returns the machines of a rule as the subject of its sentence: 'een machine', 'een machine met label A of B', 'Rups 1 of Rups 2'.
 * @param names undefined while they are loading; empty if all chosen items were deleted
 */
export function machinesOfRuleText(by: MachinesBy, names: readonly string[] | undefined): string {
  if (by === 'all') return 'een machine';
  const kind = { labels: 'label', projects: 'project', terreinen: 'terrein', chosen: '' }[by];
  const all = names === undefined ? '…' : LIST.format(names);
  if (by === 'chosen') {
    if (names && names.length > MAX_NAMED) return `een van ${names.length} gekozen machines`;
    return all || 'een machine die er niet meer is';
  }
  const chosen = all === '' ? `een ${kind} dat er niet meer is` : `${kind} ${all}`;
  return `een machine ${by === 'labels' ? 'met' : 'op'} ${chosen}`;
}

const LIST = new Intl.ListFormat('nl', { type: 'disjunction' });

const number = (value: number | undefined): string => (value === undefined ? '…' : formatExactNumber(value));

function amount(value: number | undefined, one: string, many: string): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

const hours = (value: number | undefined): string => `${number(value)} uur`;

/** Returns minutes as a text, whole hours as hours: '2 uur', '90 minuten', '1 minuut'. */
const minutes = (value: number | undefined): string =>
  value !== undefined && value > 0 && value % 60 === 0
    ? hours(value / 60)
    : amount(value, 'minuut', 'minuten');

/** Returns a number, followed by its unit if the unit is one of time; the sentences themselves contain the other units. */
function withTime(value: number | undefined, unit: string | null): string {
  if (unit === 'min') return minutes(value);
  if (unit === 'uur') return hours(value);
  return unit === 'dagen' ? amount(value, 'dag', 'dagen') : number(value);
}
