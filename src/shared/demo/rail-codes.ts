/** What the demo's LMB loggers send: the codes of domain/rail-legend.ts, by the simulator's own names. */
import { MACHINE_STATUS_CODES, RAIL_GEAR_CODES, TRACK_CODES } from '#shared/domain/rail-legend.ts';

export const MACHINE_STATUS = MACHINE_STATUS_CODES;

/** Signal `Spoor`: where it is stabled it counts as beside the line. */
export const TRACK = {
  opstelspoor: TRACK_CODES.naast,
  linkerspoor: TRACK_CODES.op,
  rechterspoor: TRACK_CODES.op,
} as const;

/** Signal `Spoorstand`: how its rail wheels stand. */
export const TRACK_POSITION = {
  geheven: RAIL_GEAR_CODES.omhoog,
  inSporen: RAIL_GEAR_CODES.beweegt,
  opSpoor: RAIL_GEAR_CODES.omlaag,
} as const;
