import type { ShiftHours, WorkWeek } from '../domain/alerts/work-week.ts';
import { FLEET_OWNER } from './organizations.ts';

/** Work weeks of the demo's crews, from their departure to their return. */

const workWeek = (from: string, to: string, days: number, nationalHolidays: boolean): WorkWeek => ({
  workDays: Array.from({ length: 7 }, (_, day): ShiftHours | null => (day < days ? { from, to } : null)),
  nationalHolidays,
  ownHolidays: [],
});

/** Work week of the day crews, by organization. */
export const demoWorkWeeks: Readonly<Record<string, WorkWeek>> = {
  [FLEET_OWNER]: workWeek('05:30', '18:30', 5, true),
};

export const EVENING_CREW = workWeek('12:30', '00:30', 5, true);
export const NIGHT_CREW = workWeek('20:30', '07:30', 7, false);
/** Work week of rail and tunnel crews, who work around the clock. */
export const CONTINUOUS_CREW = workWeek('00:00', '00:00', 7, false);
