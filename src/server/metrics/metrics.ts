import { collectDefaultMetrics, type Metric as PrometheusMetric, Registry } from 'prom-client';
import { withTimeLimit } from '#server/platform/database.ts';
import type { DiskSpace } from '#server/platform/free-space.ts';
import { type Metric, type MetricSample, type ModuleMetrics, singleGauge } from '#server/platform/metric.ts';
import { type MeasuredProcess, processMetrics } from './own-metrics.ts';

export type Metrics = {
  readonly contentType: string;
  /** Returns the metrics in Prometheus' text format 0.0.4. Leaves out the database's metrics while the database cannot be reached. */
  text(): Promise<string>;
};

/** The figures of the database are cached for this long, so that many scrapers cost one query. */
const KEEP_MS = 2_000;
const NO_ANSWER_MS = 3_000;

/** Samples from the database, by the name of their metric. */
type Figures = ReadonlyMap<string, readonly MetricSample[]>;

/** Opens the metrics. @param ofModules the metrics of each module */
export function openMetrics(measured: MeasuredProcess, ofModules: readonly ModuleMetrics[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const db = withTimeLimit(measured.pools.pages, NO_ANSWER_MS);
  let known: { readonly at: number; readonly figures: Promise<Figures | undefined> } | undefined;
  let figures: Figures | undefined;
  let space: DiskSpace | undefined;

  const all = [processMetrics(measured, () => space), ...ofModules];
  const stored = all.flatMap((one) => one.stored ?? []);
  for (const metric of all.flatMap(({ ofProcess = [] }) => ofProcess)) expose(registry, metric);
  expose(
    registry,
    singleGauge('database_up', '1 when the database answered.', () => (figures ? 1 : 0)),
  );
  for (const one of stored.flatMap(({ described }) => described))
    expose(registry, { ...one, samples: () => figures?.get(one.name) ?? [] });

  async function readFigures(): Promise<Figures> {
    const read: (readonly [string, readonly MetricSample[]])[] = [];
    for (const one of stored) read.push(...(await one.read(db)));
    return new Map(read);
  }

  return {
    contentType: registry.contentType,
    async text() {
      if (!known || performance.now() - known.at >= KEEP_MS) {
        // An unreachable database is reported as database_up 0, not as an error.
        known = { at: performance.now(), figures: readFigures().catch(() => undefined) };
      }
      figures = await known.figures;
      // If the folder is missing, the gauge of free space has no value.
      space = await measured.space().catch(() => undefined);
      return registry.metrics();
    },
  };
}

/**
 * Adds a metric whose values `samples` returns at each scrape. The classes of prom-client are not used: they would hash labels at every
 * count. Its registry only calls the method `get` of a metric; the types of prom-client do not show this.
 */
function expose(registry: Registry, { name, help, type, samples }: Metric): void {
  const get = async () => {
    const values = samples().map((sample) => ({ labels: {}, ...sample }));
    return { name, help, type, aggregator: 'sum', values };
  };
  registry.registerMetric({ name, get } as unknown as PrometheusMetric);
}
