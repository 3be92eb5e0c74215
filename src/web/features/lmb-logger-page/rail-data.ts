/** An answer of GET /api/berend/get/data, made ready to be asked what held at an instant. All times are ms. */
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import type { Position } from '#shared/domain/position.ts';
import type { LegendLine } from '#shared/domain/rail-legend.ts';

type Point = LmbData['spoor'][number];

/** In order; a stretch ends where the next begins, or earlier. Of one reading: `to` is `from`. */
export type Stretches = {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly value: Float64Array;
};

/** A timeline: its stretches, and what its codes are called. */
export type Timeline = { readonly stretches: Stretches; readonly legend: readonly LegendLine[] };

export type RailData = {
  /** km/h: from a reading until the next one, or until `to` where that is further off. */
  readonly speed: Stretches;
  readonly machinestatus: Timeline;
  readonly spoor: Timeline;
  readonly spoorstand: Timeline;
  readonly path: readonly Position[];
  /** Of each position of the path. */
  readonly pathTimes: Float64Array;
  /** Of the first and the last reading of anything; undefined: there is nothing. */
  readonly extent: { readonly from: number; readonly to: number } | undefined;
};

/** ms; the state of a reading holds no longer than this without another one (docs/design.md section 6). */
export const HOLDS_MS = 5 * 60_000;

export function railDataOf(answer: LmbData): RailData {
  const [speed] = answer.speed;
  const [machinestatus] = answer.machinestatus;
  const spoor = answer.spoordata.find(({ name }) => name === 'spoor');
  const spoorstand = answer.spoordata.find(({ name }) => name === 'spoorstand');
  const timeline = (series: LmbData['speed'][number] | undefined): Timeline => ({
    stretches: stretchesOf(series?.data ?? []),
    legend: series?.colors ?? [],
  });
  const data = {
    speed: speedsOf(speed?.data ?? []),
    machinestatus: timeline(machinestatus),
    spoor: timeline(spoor),
    spoorstand: timeline(spoorstand),
    path: answer.location,
    pathTimes: Float64Array.from(answer.location, ({ time }) => Date.parse(time)),
  };
  return { ...data, extent: extentOf(data) };
}

function stretchesOf(points: readonly Point[]): Stretches {
  return {
    from: Float64Array.from(points, ({ _start }) => Date.parse(_start)),
    to: Float64Array.from(points, ({ _stop }) => Date.parse(_stop)),
    value: Float64Array.from(points, ({ _value }) => _value),
  };
}

/**
 * A bucket gives the readings with its lowest and its highest speed, and may be longer than a reading holds. The first
 * one after a hole speaks for its bucket from the start: the readings before it were not lower nor higher.
 */
function speedsOf(points: readonly Point[]): Stretches {
  const from = new Float64Array(points.length);
  const to = new Float64Array(points.length);
  // Only the first and the last bucket may be cut short. Reading a time costs a fifth of a microsecond.
  const lengths = points.slice(0, 4).map(({ _start, _stop }) => Date.parse(_stop) - Date.parse(_start));
  const isShort = points.length > 4 && Math.max(...lengths) <= HOLDS_MS;
  points.forEach(({ _time, _start, _stop }, n) => {
    const time = Date.parse(_time);
    const held = n === 0 ? Number.NEGATIVE_INFINITY : (to[n - 1] as number);
    from[n] = held < time ? Math.max(held, Math.min(time, Date.parse(_start))) : time;
    to[n] = isShort ? time + HOLDS_MS : Math.max(time + HOLDS_MS, Date.parse(_stop));
  });
  return { from, to, value: Float64Array.from(points, ({ _value }) => _value) };
}

function extentOf(data: Omit<RailData, 'extent'>): RailData['extent'] {
  const starts = [
    data.speed.from,
    data.machinestatus.stretches.from,
    data.spoor.stretches.from,
    data.spoorstand.stretches.from,
    data.pathTimes,
  ];
  const ends = [
    data.speed.from,
    data.machinestatus.stretches.to,
    data.spoor.stretches.to,
    data.spoorstand.stretches.to,
    data.pathTimes,
  ];
  const from = Math.min(...starts.map((times) => times[0] ?? Number.POSITIVE_INFINITY));
  const to = Math.max(...ends.map((times) => times.at(-1) ?? Number.NEGATIVE_INFINITY));
  return from <= to ? { from, to } : undefined;
}
