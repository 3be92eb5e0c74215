import type { ServerResponse } from 'node:http';
import type { Sample } from './family.ts';

/** Upper ends of the histogram's buckets, seconds. The last one is Infinity, whatever else there is. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** A client may send any method that Node's parser knows; a label may not grow with what strangers send. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Answers of one route, method and status class. */
type Series = { readonly counts: number[]; seconds: number };

/**
 * The answers of one route. Counted in place and put into words only when somebody asks for the metrics: the live
 * data and the uploads are answered in microseconds (docs/decisions/0006, 0010).
 */
export class RouteMeter {
  readonly route: string;
  /** By method, then by the first digit of the status. */
  readonly #series = new Map<string, (Series | undefined)[]>();

  constructor(route: string) {
    this.route = route;
  }

  /** @param ms from the request's head to the answer's */
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
      series = { counts: new Array(BUCKETS.length + 1).fill(0), seconds: 0 };
      classes[digit] = series;
    }
    const seconds = ms / 1000;
    let n = 0;
    while (n < BUCKETS.length && seconds > (BUCKETS[n] as number)) n += 1;
    series.counts[n] = (series.counts[n] as number) + 1;
    series.seconds += seconds;
  }

  /** As a Prometheus histogram `name`: its buckets are cumulative. */
  samples(name: string): Sample[] {
    return [...this.#series].flatMap(([method, classes]) =>
      classes.flatMap((series, digit) => {
        if (series === undefined) return [];
        const labels = { route: this.route, method, status: `${digit}xx` };
        let sum = 0;
        const buckets = series.counts.map((count, n) => {
          sum += count;
          const le = n < BUCKETS.length ? String(BUCKETS[n]) : '+Inf';
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

/** Every answer of this process, by route. */
export type Traffic = {
  /** What has no route: unknown addresses, and requests that are refused before one is looked for. */
  readonly unrouted: RouteMeter;
  /** @param template of the contract or the router, never an address that somebody sent */
  meterOf(template: string): RouteMeter;
  samples(name: string): Sample[];
};

export function openTraffic(): Traffic {
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

/** The static server has a route for every file of the build: those are one, and the pages another. */
function routeLabel(template: string): string {
  if (/^\/(api|tiles|metrics)(\/|$)/.test(template) || template.startsWith('/{')) return template;
  return template.startsWith('/assets/') ? '/assets/*' : '/*';
}

/** Says whose an answer is before it goes out; http-server.ts counts it then. */
export function measuredAs(response: ServerResponse, meter: RouteMeter): void {
  (response as ServerResponse & { meter?: RouteMeter }).meter = meter;
}
