import { collectDefaultMetrics, Registry } from 'prom-client';
import { withTimeLimit } from '#server/platform/database.ts';
import type { Space } from '#server/platform/free-space.ts';
import { databaseFamilies, type Measured, processFamilies } from './families.ts';
import { expose, type Family } from './family.ts';
import { readFigures, type StoredFigures } from './metrics.store.ts';
import type { Traffic } from './traffic.ts';

export type Metrics = {
  readonly traffic: Traffic;
  readonly contentType: string;
  /** Returns Prometheus' text format 0.0.4; without the figures of the database while it cannot be reached. */
  text(): Promise<string>;
};

/** The figures of the database are cached for this long, so that many scrapers cost one query. */
const KEEP_MS = 2_000;
const NO_ANSWER_MS = 3_000;

export function openMetrics(measured: Measured): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const db = withTimeLimit(measured.pools.pages, NO_ANSWER_MS);
  let known: { readonly at: number; readonly figures: Promise<StoredFigures | undefined> } | undefined;
  let figures: StoredFigures | undefined;

  let space: Space | undefined;

  const families: Family[] = [...processFamilies(measured, () => space), ...databaseFamilies(() => figures)];
  for (const family of families) expose(registry, family);

  return {
    traffic: measured.traffic,
    contentType: registry.contentType,
    async text() {
      if (!known || performance.now() - known.at >= KEEP_MS) {
        // An unreachable database is reported as database_up 0, not as an error.
        known = {
          at: performance.now(),
          figures: readFigures(db, measured.quotas, measured.now()).catch(() => undefined),
        };
      }
      figures = await known.figures;
      // If the folder is missing, the gauge of free space has no value.
      space = await measured.space().catch(() => undefined);
      return registry.metrics();
    },
  };
}
