import type { FiguresState } from './figures.ts';
import type { BucketLevels } from './level-rise.ts';
import { deserializeMovementState, serializeMovementState } from './moved-distance.ts';

type Opened = 'motor' | 'battery' | 'charger';
/**
 * An open interval, stored without `of`, which equals its key in the stored state. `from` absent: the interval begins with the newest
 * reading.
 */
type StoredInterval<Of extends Opened> = Omit<NonNullable<FiguresState[Of]>, 'of' | 'from'> & {
  readonly from?: number | undefined;
};

/** A FiguresState as the database stores it with each upload: short plain JSON; {} for a stream without a reading. */
export type StoredFiguresState = Pick<FiguresState, 'time' | 'packs' | 'motorSince'> & {
  readonly [Of in Opened]?: StoredInterval<Of> | undefined;
} & {
  /** Last value of each signal; a value that is stored without a time is from the newest reading. */
  readonly last?: Readonly<Record<string, number | readonly [value: number, time: number]>>;
  readonly movement?: readonly number[] | undefined;
  /**
   * `FiguresState.spot`: [since, count] if it is not open and its position is the last one in `movement`; else [latitude, longitude,
   * time, since, count, isOpen (1 or 0)].
   */
  readonly spot?: readonly number[] | undefined;
  /** Time from `FiguresState.moved` to the newest reading, ms. */
  readonly moved?: number | undefined;
  /**
   * By signal name: the first value in the bucket of the newest reading and, if there are any, the first value in the bucket
   * before and the `held` value (level-rise.ts); null: none.
   */
  readonly levels?: Readonly<Record<string, StoredLevels>> | undefined;
  readonly waits?: BucketLevels['waits'];
};

type StoredLevels = readonly [now: number | null, before?: number | null, held?: number];

export function serializeFiguresState({
  time,
  last,
  motor,
  battery,
  charger,
  movement,
  spot,
  moved,
  levels,
  ...others
}: FiguresState): StoredFiguresState {
  const interval = <Of extends Opened>(open: FiguresState[Of]): StoredInterval<Of> | undefined => {
    if (!open) return undefined;
    const { of: _, from, ...rest } = open;
    return { ...rest, from: from === time ? undefined : from } as StoredInterval<Of>;
  };
  return {
    ...others,
    time,
    last: packLast(last, time),
    motor: interval<'motor'>(motor),
    battery: interval<'battery'>(battery),
    charger: interval<'charger'>(charger),
    movement: movement && serializeMovementState(movement),
    spot: spot && packSpot(spot, movement),
    moved: moved === undefined || time === undefined ? undefined : time - moved,
    levels: levels && packLevels(levels),
    waits: levels?.waits,
  };
}

function packLevels({ now, before, held = {} }: BucketLevels): StoredFiguresState['levels'] {
  const packed: Record<string, StoredLevels> = {};
  for (const name in now) packed[name] = [now[name] as number];
  for (const name in before) packed[name] = [now[name] ?? null, before[name] as number];
  for (const name in held) packed[name] = [now[name] ?? null, before[name] ?? null, held[name] as number];
  return Object.keys(packed).length > 0 ? packed : undefined;
}

function levelsOf({ levels: packed = {}, waits }: StoredFiguresState): BucketLevels {
  const now: Record<string, number> = {};
  const before: Record<string, number> = {};
  const held: Record<string, number> = {};
  for (const name in packed) {
    const [value, earlier, kept] = packed[name] as StoredLevels;
    if (value !== null) now[name] = value;
    if (earlier !== undefined && earlier !== null) before[name] = earlier;
    if (kept !== undefined) held[name] = kept;
  }
  return { now, before, waits, ...(Object.keys(held).length > 0 && { held }) };
}

/** Packs the last values. Runs for every upload, so it uses a loop, which is fast. */
function packLast(
  last: FiguresState['last'],
  time: number | undefined,
): NonNullable<StoredFiguresState['last']> {
  const packed: Record<string, number | readonly [number, number]> = {};
  for (const name in last) {
    const known = last[name] as readonly [number, number];
    packed[name] = known[1] === time ? known[0] : known;
  }
  return packed;
}

function packSpot(spot: NonNullable<FiguresState['spot']>, movement: FiguresState['movement']): number[] {
  const { lat, lon, time, since, count, isOpen } = spot;
  const isThere =
    movement !== undefined &&
    !isOpen &&
    movement.place.time === time &&
    movement.place.position.lat === lat &&
    movement.place.position.lon === lon;
  return isThere ? [since, count] : [lat, lon, time, since, count, isOpen ? 1 : 0];
}

export function deserializeFiguresState(stored: StoredFiguresState): FiguresState {
  const { time, motor, battery, charger, packs, motorSince } = stored;
  const from = time ?? 0;
  const movement = stored.movement && deserializeMovementState(stored.movement);
  return {
    ...{ time, motorSince, movement },
    ...(packs && { packs }),
    last: Object.fromEntries(
      Object.entries(stored.last ?? {}).map(([name, known]) => [
        name,
        typeof known === 'number' ? [known, from] : known,
      ]),
    ),
    motor: motor && { ...motor, of: 'motor', from: motor.from ?? from },
    battery: battery && { ...battery, of: 'battery', from: battery.from ?? from },
    charger: charger && { ...charger, of: 'charger', from: charger.from ?? from },
    spot: stored.spot && spotOf(stored.spot, movement),
    moved: stored.moved === undefined ? undefined : from - stored.moved,
    levels: levelsOf(stored),
  };
}

function spotOf(spot: readonly number[], movement: FiguresState['movement']): FiguresState['spot'] {
  if (spot.length === 2 && movement) {
    const { position, time } = movement.place;
    return { ...position, time, since: spot[0] as number, count: spot[1] as number };
  }
  const [lat = 0, lon = 0, time = 0, since = 0, count = 0, isOpen = 0] = spot;
  return { lat, lon, time, since, count, isOpen: isOpen === 1 ? true : undefined };
}
