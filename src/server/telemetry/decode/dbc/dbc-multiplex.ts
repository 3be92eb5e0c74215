import type { MultiplexCondition } from './dbc.ts';

/** What a signal's own line says of multiplexing: `M`, `m2` or `m2M`. */
type MultiplexMark = { readonly isSwitch: boolean; readonly branch?: number };

/**
 * When each multiplexed signal is in the frame. A SG_MUL_VAL_ line wins over the number of `m2`, which
 * belongs to the message's only `M`. A text in place of a condition is the Dutch reason why there is none.
 * @param ranges what SG_MUL_VAL_ says, by signal
 */
export function multiplexConditions(
  marks: ReadonlyMap<string, MultiplexMark>,
  ranges: ReadonlyMap<string, MultiplexCondition>,
): Map<string, MultiplexCondition | string> {
  const switches = [...marks].filter(([, mark]) => mark.isSwitch && mark.branch === undefined);
  const onlySwitch = switches.length === 1 ? switches[0]?.[0] : undefined;
  const conditions = new Map<string, MultiplexCondition | string>();
  for (const [name, { branch }] of marks) {
    const said = ranges.get(name);
    if (said !== undefined) {
      conditions.set(name, marks.has(said.switch) ? said : `multiplexschakelaar ${said.switch} bestaat niet`);
    } else if (branch !== undefined) {
      const nothing = `m${branch} zonder multiplexschakelaar (M)`;
      const several = `m${branch} bij meer dan één multiplexschakelaar (M) en zonder SG_MUL_VAL_`;
      const reason = switches.length === 0 ? nothing : several;
      conditions.set(
        name,
        onlySwitch === undefined ? reason : { switch: onlySwitch, ranges: [[branch, branch]] },
      );
    }
  }
  return conditions;
}

/**
 * The same signals, each after the switch that it depends on; undefined when they depend on each other in a
 * circle. Linear in the number of signals.
 */
export function switchesFirst<
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
