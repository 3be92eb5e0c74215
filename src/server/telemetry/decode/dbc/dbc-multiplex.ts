import type { MultiplexCondition } from './dbc.ts';

/** The multiplex mark in a signal's own line: `M`, `m2` or `m2M`. */
type MultiplexMark = { readonly name: string; readonly isSwitch: boolean; readonly branch?: number };

/**
 * Returns a function from a signal to the condition under which a frame contains it; undefined means always. A SG_MUL_VAL_ line has
 * priority over the number of `m2`, which belongs to the message's only `M`. A text instead of a condition is the Dutch reason why
 * the condition is unknown.
 * @param ranges conditions of SG_MUL_VAL_, by signal
 * @param hasLostRanges a SG_MUL_VAL_ line could not be read; if there is an `m2M`, the number of `m2` may belong to that switch
 */
export function multiplexConditions(
  marks: ReadonlyMap<string, MultiplexMark>,
  ranges: ReadonlyMap<string, MultiplexCondition>,
  hasLostRanges: boolean,
): (mark: MultiplexMark) => MultiplexCondition | string | undefined {
  const all = [...marks.values()];
  const switches = all.filter(({ isSwitch, branch }) => isSwitch && branch === undefined);
  const isNested = all.some(({ isSwitch, branch }) => isSwitch && branch !== undefined);
  const onlySwitch = switches.length === 1 ? switches[0]?.name : undefined;
  return ({ name, branch }) => {
    const said = ranges.get(name);
    if (said !== undefined)
      return marks.has(said.switch) ? said : `multiplexschakelaar ${said.switch} bestaat niet`;
    if (branch === undefined) return undefined;
    if (isNested && hasLostRanges) return `m${branch} zonder leesbare SG_MUL_VAL_`;
    if (onlySwitch !== undefined) return { switch: onlySwitch, ranges: [[branch, branch]] };
    return switches.length === 0
      ? `m${branch} zonder multiplexschakelaar (M)`
      : `m${branch} bij meer dan één multiplexschakelaar (M) en zonder SG_MUL_VAL_`;
  };
}

/**
 * Returns the signals in an order in which each comes after the switch that it depends on; undefined when they depend on each other
 * in a circle. Linear in the number of signals.
 */
export function sortByMultiplexSwitch<
  Signal extends { readonly name: string; readonly activeWhen?: MultiplexCondition },
>(signals: readonly Signal[]): Signal[] | undefined {
  const byName = new Map(signals.map((signal) => [signal.name, signal]));
  const done = new Set<string>();
  const ordered: Signal[] = [];
  for (const signal of signals) {
    const chain: Signal[] = [];
    let next: Signal | undefined = signal;
    while (next !== undefined && !done.has(next.name)) {
      if (chain.length === signals.length) return undefined;
      chain.push(next);
      next = next.activeWhen && byName.get(next.activeWhen.switch);
    }
    for (const link of chain.reverse()) {
      done.add(link.name);
      ordered.push(link);
    }
  }
  return ordered;
}
