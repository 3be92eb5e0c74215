/** The last known facts of a silent machine, and the usual cause of its silence. */
import { averagePercent, type BatteryState, LOW_BELOW_PERCENT } from './battery.ts';
import { distanceMetres } from './distance.ts';
import { isRunning, machineStatus, type SignalValues } from './machine-status.ts';
import { nearestTown } from './nearest-town.ts';
import { dateAndTime, formatNumber, formatPercent } from './nl.ts';
import { type Position, positionOf } from './position.ts';
import { isChargingFlag } from './signal.ts';
import { isStale, wasEverSeen } from './staleness.ts';

/** The newest values of a machine, as in live data; GMT_UNIX and POSITION_UNIX are unix seconds. */
type LastValues = SignalValues & {
  readonly GMT_UNIX?: number | undefined;
  readonly POSITION_UNIX?: number | undefined;
};

export type LastKnownState = {
  readonly values: LastValues;
  readonly batteries: readonly BatteryState[];
  /** Name of the machine's terrein, else of its project; undefined: none, or not known. */
  readonly area?: string | undefined;
  /** Number of nearby machines that became silent at the same time, and number of nearby machines that still report. */
  readonly nearby: NearbySilence;
};
export type NearbySilence = { readonly silent: number; readonly reporting: number };
export const NO_NEARBY_SILENCE: NearbySilence = { silent: 0, reporting: 0 };

/** A line with a last known fact: 'Accu: 12%'. */
export type LastFact = { readonly word: string; readonly value: string };

/** Returns the last known facts of a silent machine; empty for a machine that has never reported. */
export function lastKnownFacts({ values, batteries, area }: LastKnownState): LastFact[] {
  if (!wasEverSeen(values.GMT_UNIX)) return [];
  return [
    { word: 'Laatst gehoord', value: dateAndTime((values.GMT_UNIX ?? 0) * 1000) },
    { word: 'Plaats', value: placeText(values, area) },
    { word: 'Accu', value: levelText(batteries) },
    { word: 'Laden', value: chargingText(values) },
  ];
}

function placeText(values: LastValues, area: string | undefined): string {
  const position = positionOf(values);
  const near = position && nearestTown(position);
  const place = [area, near].filter(Boolean).join(', ');
  if (place === '') return 'niet bekend';
  return isPositionOld(values)
    ? `${place} (positie van ${dateAndTime((values.POSITION_UNIX ?? 0) * 1000)})`
    : place;
}

const levelText = (batteries: readonly BatteryState[]): string => {
  const mean = averagePercent(batteries);
  return mean === undefined ? 'niet bekend' : formatPercent(mean);
};

function chargingText(values: LastValues): string {
  if (machineStatus(values) === 'charging') return 'laadde';
  const isKnown = Object.keys(values).some(
    (name) => isChargingFlag(name) || name === 'ChargingCurrent' || name === 'BatteryCurrent',
  );
  if (!isKnown) return 'niet bekend';
  return isRunning(values) ? 'laadde niet, de motor draaide' : 'laadde niet';
}

/** A position that is this much older than the newest reading means that the receiver saw no satellites, as indoors. */
const POSITION_LAGS_S = 5 * 60;
const isPositionOld = ({ GMT_UNIX = 0, POSITION_UNIX }: LastValues): boolean =>
  POSITION_UNIX !== undefined && GMT_UNIX - POSITION_UNIX > POSITION_LAGS_S;

/** If at least this many other machines became silent at the same place and time, the usual cause is the network. */
const MIN_TOGETHER = 2;

/**
 * Returns the usual cause of the silence of a machine in this last known state, as a text to follow 'Meestal:';
 * undefined: too little is known. Checks the strongest evidence first: other machines, the battery, the charger, the
 * motor, the receiver; otherwise the cause is that the machine is switched off or out of network range.
 */
export function usualSilenceCause({ values, batteries, nearby }: LastKnownState): string | undefined {
  if (!wasEverSeen(values.GMT_UNIX)) return 'de logger is nog niet aangesloten of nog niet ingesteld';
  if (nearby.silent >= MIN_TOGETHER && nearby.silent > nearby.reporting)
    return `geen netwerk op die plek: ${formatNumber(nearby.silent)} andere machines daar vielen tegelijk stil`;
  const level = averagePercent(batteries);
  const isCharging = machineStatus(values) === 'charging';
  if (level !== undefined && level < LOW_BELOW_PERCENT && !isCharging)
    return 'de accu is leeg; daarna krijgt ook de logger geen stroom';
  if (isCharging) return 'de stroom van het laadpunt viel weg, of de logger verloor zijn voeding of bereik';
  if (isRunning(values)) return 'geen bereik, zoals in een tunnel of hal, of de logger verloor zijn voeding';
  if (isPositionOld(values)) return 'de machine staat binnen of onder de grond, zonder bereik';
  const saysSomething =
    level !== undefined || Object.keys(values).some((name) => !TIMES_AND_PLACES.has(name));
  if (!saysSomething) return undefined;
  return 'de hoofdschakelaar is uit, of de machine staat waar geen bereik is';
}

const TIMES_AND_PLACES = new Set(['LATITUDE', 'LONGITUDE', 'GMT_UNIX', 'POSITION_UNIX']);

/** Returns sentences for a message: 'Laatst bekend (30-11-26, 08:00): plaats Zwolle; accu 12%; laden: laadde niet.', 'Meestal: …' */
export function silenceSentences(known: LastKnownState): string[] {
  const [time, place, level, charging] = lastKnownFacts(known).map(({ value }) => value);
  const cause = usualSilenceCause(known);
  return [
    ...(time === undefined
      ? ['Er kwam nog nooit iets binnen.']
      : [`Laatst bekend (${time}): plaats ${place}; accu ${level}; laden: ${charging}.`]),
    ...(cause === undefined ? [] : [`Meestal: ${cause}.`]),
  ];
}

/** Machines within this distance are nearby; silences that begin within this time began together. */
const NEARBY_METRES = 1_000;
const TOGETHER_S = 15 * 60;
/** Latitude difference slightly above NEARBY_METRES, for a fast check: fifty alerts are compared with ten thousand machines. */
const NEARBY_DEGREES = NEARBY_METRES / 100_000;

/** The last position of a machine, and the time of its newest reading, unix seconds. */
export type LastSighting = { readonly position: Position | undefined; readonly lastSeenAt: number };

/** Returns how many other machines near `own` became silent at the same time, and how many still report. */
export function nearbySilenceOf(
  own: LastSighting,
  all: Iterable<LastSighting>,
  nowMs: number,
): NearbySilence {
  const { position } = own;
  if (!position) return NO_NEARBY_SILENCE;
  let silent = 0;
  let reporting = 0;
  for (const other of all) {
    if (other === own || !other.position || !(other.lastSeenAt > 0)) continue;
    if (Math.abs(other.position.lat - position.lat) > NEARBY_DEGREES) continue;
    const isSilent = isStale(other.lastSeenAt, nowMs);
    const isTogether = isSilent && Math.abs(other.lastSeenAt - own.lastSeenAt) <= TOGETHER_S;
    if (isSilent && !isTogether) continue;
    if (distanceMetres(position, other.position) > NEARBY_METRES) continue;
    if (isTogether) silent += 1;
    else reporting += 1;
  }
  return { silent, reporting };
}
