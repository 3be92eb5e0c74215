import type { Metric, Registry } from 'prom-client';

/** One line of the answer. `metricName` overrides the family's name, for the parts of a histogram. */
export type Sample = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
  readonly metricName?: string;
};

/** One metric. Labels take few, fixed values: never a serial, an address or a customer's name. */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Runs on every scrape. Returns an empty list if the value is unknown. */
  readonly read: () => readonly Sample[];
};

/**
 * Adds a metric whose values are kept elsewhere. prom-client's own classes hash the labels at every count. Its registry only
 * calls `get` of a metric, which its types do not show.
 */
export function expose(registry: Registry, { name, help, type, read }: Family): void {
  const get = async () => {
    const values = read().map((sample) => ({ labels: {}, ...sample }));
    return { name, help, type, aggregator: 'sum', values };
  };
  registry.registerMetric({ name, get } as unknown as Metric);
}

/** Returns one sample without labels, or none for undefined (unknown). */
export const single = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ value }]);

/** Returns one sample per name, with the name as the value of `label`. */
export const perName = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
