import type { Database } from './database.ts';

/** One line of the metrics text. `metricName` overrides the metric's name, for the parts of a histogram. */
export type MetricSample = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
  readonly metricName?: string;
};

/**
 * One metric. Labels have few, fixed values: never a serial number, an address or a customer's name.
 * @template Value data from which its samples are made
 */
export type Metric<Value = void> = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Runs on every scrape. Returns an empty list if the value is unknown. */
  readonly samples: (value: Value) => readonly MetricSample[];
};

/** Metrics that one read of the database fills. They have no samples while the database cannot be reached. */
export type StoredMetrics = {
  readonly described: readonly Omit<Metric, 'samples'>[];
  /** Returns the samples by the name of their metric. */
  read(db: Database): Promise<readonly (readonly [name: string, readonly MetricSample[]])[]>;
};

/** The metrics of a module: of this process, since its start; and of the database, which all processes share. */
export type ModuleMetrics = {
  readonly ofProcess?: readonly Metric[];
  readonly stored?: readonly StoredMetrics[];
};

export const storedMetrics = <Value>(
  read: (db: Database) => Promise<Value>,
  metrics: readonly Metric<Value>[],
): StoredMetrics => ({
  described: metrics,
  async read(db) {
    const value = await read(db);
    return metrics.map(({ name, samples }) => [name, samples(value)]);
  },
});

/** Returns a gauge with one sample, which is absent while its value is unknown. */
export const singleGauge = <Value = void>(
  name: string,
  help: string,
  read: (value: Value) => number | undefined,
): Metric<Value> => ({
  name: `werkstroom_${name}`,
  help,
  type: 'gauge',
  samples(value) {
    const one = read(value);
    return one === undefined ? [] : [{ value: one }];
  },
});

/** Returns one sample per name, with the name as the value of `label`. */
export const samplesByName = (label: string, values: Readonly<Record<string, number>>): MetricSample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
