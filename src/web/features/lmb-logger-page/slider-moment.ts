/**
 * The values of an LMB logger at the slider's time. Slider, cursors, map marker and texts all show one SliderMoment, so that they
 * cannot disagree (LOG-05).
 */
import { formatCoordinate, formatSpeed } from '#shared/domain/nl.ts';
import type { Position } from '#shared/domain/position.ts';
import { legendCodeName } from '#shared/domain/rail-legend.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { type CodeTimeline, type RailData, type RailIntervals, READING_VALID_MS } from './rail-data.ts';

/** The slider's last position; it has 1001 positions over the shown range (LOG-03). */
export const SLIDER_END = 1000;

/** Returns the instant of a slider position, unix ms. */
export const instantAtSliderPosition = ({ from, to }: TimeRange, position: number): number =>
  Math.round(from + ((to - from) * position) / SLIDER_END);

/** Returns the slider position nearest to an instant. For an instant outside the range, that is the first or last position. */
export function sliderPositionAt({ from, to }: TimeRange, instant: number): number {
  if (to <= from) return 0;
  return Math.min(SLIDER_END, Math.max(0, Math.round(((instant - from) / (to - from)) * SLIDER_END)));
}

export type SliderMoment = {
  /** Unix ms. */
  readonly instant: number;
  /** Speed in km/h. Each value is undefined if no reading of it is valid at that time. */
  readonly speed: number | undefined;
  readonly machinestatus: number | undefined;
  readonly spoor: number | undefined;
  readonly spoorstand: number | undefined;
  readonly place: Position | undefined;
};

/** Returns the values at a slider position (0 to 1000) of the range. */
export function sliderMomentAt(data: RailData, range: TimeRange, position: number): SliderMoment {
  const instant = instantAtSliderPosition(range, position);
  return {
    instant,
    speed: valueAt(data.speed, instant),
    machinestatus: valueAt(data.machinestatus.intervals, instant),
    spoor: valueAt(data.spoor.intervals, instant),
    spoorstand: valueAt(data.spoorstand.intervals, instant),
    place: placeAt(data, instant),
  };
}

/** Returns the index of the last of the sorted times that is not after the instant; -1 if there is none. */
function lastUpTo(times: Float64Array, instant: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function valueAt({ from, to, value }: RailIntervals, instant: number): number | undefined {
  const n = lastUpTo(from, instant);
  return n >= 0 && instant <= (to[n] as number) ? value[n] : undefined;
}

/** Returns the position at an instant: interpolated if the two around it are at most READING_VALID_MS apart, else the earlier one. */
function placeAt({ path, pathTimes }: RailData, instant: number): Position | undefined {
  const n = lastUpTo(pathTimes, instant);
  const here = path[n];
  if (here === undefined) return undefined;
  const next = path[n + 1];
  const since = instant - (pathTimes[n] as number);
  const step = (pathTimes[n + 1] as number) - (pathTimes[n] as number);
  if (next === undefined || since === 0 || step > READING_VALID_MS) return { lat: here.lat, lon: here.lon };
  const share = since / step;
  return {
    lat: here.lat + (next.lat - here.lat) * share,
    lon: here.lon + (next.lon - here.lon) * share,
  };
}

const UNKNOWN = 'geen gegevens';

export const speedText = (kmPerHour: number | undefined): string =>
  kmPerHour === undefined ? UNKNOWN : formatSpeed(kmPerHour);

export const codeText = ({ legend }: CodeTimeline, code: number | undefined): string =>
  code === undefined ? UNKNOWN : legendCodeName(legend, code);

/** Returns for example '52.100000 / 5.250000'. */
export const positionText = (place: Position | undefined): string =>
  place === undefined ? UNKNOWN : `${formatCoordinate(place.lat)} / ${formatCoordinate(place.lon)}`;
