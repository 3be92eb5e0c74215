/** Texts and colours of an LMB logger's codes (LOG-03, LOG-06). */

/** Signal `Machinestatus`: the activity of the machine. */
export const MACHINE_STATUS_CODES = { uit: 0, stationair: 1, rijden: 2, werken: 3, storing: 4 } as const;
/** Signal `Spoor`: on the track or beside it. */
export const TRACK_CODES = { naast: 0, op: 1 } as const;
/** Signal `Spoorstand`: the position of the rail gear. */
export const RAIL_GEAR_CODES = { omhoog: 0, beweegt: 1, omlaag: 2 } as const;

/**
 * A line of a legend, for exactly the code `value`. `color` has a contrast of at least 3:1 on the light and the dark background (WCAG
 * 1.4.11), and of 4.5:1 under white text.
 */
export type LegendLine = { readonly value: number; readonly color: string; readonly name: string };

export const MACHINE_STATUS_LEGEND: readonly LegendLine[] = [
  { value: MACHINE_STATUS_CODES.uit, color: '#6b7280', name: 'Uit' },
  { value: MACHINE_STATUS_CODES.stationair, color: '#a16207', name: 'Stationair' },
  { value: MACHINE_STATUS_CODES.rijden, color: '#2563eb', name: 'Rijden' },
  { value: MACHINE_STATUS_CODES.werken, color: '#15803d', name: 'Werken' },
  { value: MACHINE_STATUS_CODES.storing, color: '#dc2626', name: 'Storing' },
];

export const TRACK_LEGEND: readonly LegendLine[] = [
  { value: TRACK_CODES.naast, color: '#6b7280', name: 'Naast het spoor' },
  { value: TRACK_CODES.op, color: '#15803d', name: 'Op het spoor' },
];

export const RAIL_GEAR_LEGEND: readonly LegendLine[] = [
  { value: RAIL_GEAR_CODES.omhoog, color: '#6b7280', name: 'Omhoog' },
  { value: RAIL_GEAR_CODES.beweegt, color: '#a16207', name: 'Beweegt' },
  { value: RAIL_GEAR_CODES.omlaag, color: '#15803d', name: 'Omlaag' },
];

/** Colour of a code that the legend does not have. */
export const UNKNOWN_CODE_COLOR = '#9333ea';

/** Returns 'Rijden', or 'onbekend (7)' for a code that the legend does not have. */
export const legendCodeName = (legend: readonly LegendLine[], code: number): string =>
  legend.find(({ value }) => value === code)?.name ?? `onbekend (${code})`;

export const legendCodeColor = (legend: readonly LegendLine[], code: number): string =>
  legend.find(({ value }) => value === code)?.color ?? UNKNOWN_CODE_COLOR;
