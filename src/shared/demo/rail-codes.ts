/** Codes of domain/rail-legend.ts that the demo's LMB loggers send, by the simulator's names. */
import { MACHINE_STATUS_CODES, RAIL_GEAR_CODES, TRACK_CODES } from '#shared/domain/rail-legend.ts';

export const DEMO_MACHINE_STATUS_CODES = MACHINE_STATUS_CODES;

/** Signal `Spoor`; a stabled machine counts as beside the track. */
export const DEMO_TRACK_CODES = {
  opstelspoor: TRACK_CODES.naast,
  linkerspoor: TRACK_CODES.op,
  rechterspoor: TRACK_CODES.op,
} as const;

/** Signal `Spoorstand`: the position of the rail wheels. */
export const DEMO_RAIL_GEAR_CODES = {
  geheven: RAIL_GEAR_CODES.omhoog,
  inSporen: RAIL_GEAR_CODES.beweegt,
  opSpoor: RAIL_GEAR_CODES.omlaag,
} as const;
