import type { Metric, Registry } from 'prom-client';

/** One line of the answer. `metricName` where it is not the family's: a histogram's parts. */
export type Sample = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
  readonly metricName?: string;
};

/** One metric. Labels take few values, all of them ours: never a serial, an address or a name of a customer. */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Read when the metrics are asked for. None: it is not known now. */
  readonly read: () => readonly Sample[];
};

/**
 * Adds a metric whose values are kept elsewhere. prom-client's own classes hash the labels at every count; its
 * registry asks a metric only for `get`, which its types do not say.
 */
export function expose(registry: Registry, { name, help, type, read }: Family): void {
  const get = async () => {
    const values = read().map((sample) => ({ labels: {}, ...sample }));
    return { name, help, type, aggregator: 'sum', values };
  };
  registry.registerMetric({ name, get } as unknown as Metric);
}

/** One value without labels; undefined: not known now. */
export const single = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ value }]);

/** One value per name, as `label`. */
export const perName = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
