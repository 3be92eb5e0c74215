import type { ServerResponse } from 'node:http';
import type { MetricSample } from '#server/platform/metric.ts';

/** Upper bounds of the histogram's buckets. A last bucket, of Infinity, is added. */
const BUCKETS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Node's parser accepts more methods than these; the other methods share one label, so that strangers cannot add series. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Answers of one route, method and status class. */
type Series = { readonly counts: number[]; seconds: number };

/**
 * Counts the answers of one route. Counting takes no allocation, and text is made only on a scrape, because live data and
 * uploads are answered in microseconds (docs/decisions/0006, 0010).
 */
export class RouteMeter {
  readonly route: string;
  /** The series of this route by HTTP method; the index in a list is the first digit of the status. */
  readonly #series = new Map<string, (Series | undefined)[]>();

  constructor(route: string) {
    this.route = route;
  }

  /**
   * Counts an answer.
   * @param ms the time between the headers of the request and the headers of the answer
   */
  answered(method: string | undefined, status: number, ms: number): void {
    const name = method !== undefined && METHODS.has(method) ? method : 'other';
    let classes = this.#series.get(name);
    if (classes === undefined) {
      classes = [];
      this.#series.set(name, classes);
    }
    const digit = Math.floor(status / 100);
    let series = classes[digit];
    if (series === undefined) {
      series = { counts: new Array(BUCKETS_SECONDS.length + 1).fill(0), seconds: 0 };
      classes[digit] = series;
    }
    const seconds = ms / 1000;
    let n = 0;
    while (n < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[n] as number)) n += 1;
    series.counts[n] = (series.counts[n] as number) + 1;
    series.seconds += seconds;
  }

  /** Returns the samples of a Prometheus histogram `name`, with cumulative buckets. */
  samples(name: string): MetricSample[] {
    return [...this.#series].flatMap(([method, classes]) =>
      classes.flatMap((series, digit) => {
        if (series === undefined) return [];
        const labels = { route: this.route, method, status: `${digit}xx` };
        let sum = 0;
        const buckets = series.counts.map((count, n) => {
          sum += count;
          const le = n < BUCKETS_SECONDS.length ? String(BUCKETS_SECONDS[n]) : '+Inf';
          return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: sum };
        });
        return [
          ...buckets,
          { metricName: `${name}_sum`, labels, value: series.seconds },
          { metricName: `${name}_count`, labels, value: sum },
        ];
      }),
    );
  }
}

/** Counts every answer of this process, by route. */
export type TrafficMeter = {
  /** Counts answers without a route: unknown addresses, and requests that are refused before routing. */
  readonly unrouted: RouteMeter;
  /**
   * Returns the meter of a route.
   * @param template the path as the contract or the router spells it, with names of parameters; never the address of a request
   */
  meterOf(template: string): RouteMeter;
  samples(name: string): MetricSample[];
};

export function openTraffic(): TrafficMeter {
  const unrouted = new RouteMeter('none');
  const meters = new Map<string, RouteMeter>();
  return {
    unrouted,
    meterOf(template) {
      const route = routeLabel(template);
      let meter = meters.get(route);
      if (meter === undefined) {
        meter = new RouteMeter(route);
        meters.set(route, meter);
      }
      return meter;
    },
    samples: (name) => [unrouted, ...meters.values()].flatMap((meter) => meter.samples(name)),
  };
}

/**
 * Returns the label of a route. The static server has one route for each built file, so all assets share one label, and all pages share
 * another.
 */
function routeLabel(template: string): string {
  if (/^\/(api|tiles|metrics)(\/|$)/.test(template) || template.startsWith('/{')) return template;
  return template.startsWith('/assets/') ? '/assets/*' : '/*';
}

/** Assigns a response to a route; http-server.ts counts it when it is sent. */
export function assignRoute(response: ServerResponse, meter: RouteMeter): void {
  (response as ServerResponse & { meter?: RouteMeter }).meter = meter;
}
