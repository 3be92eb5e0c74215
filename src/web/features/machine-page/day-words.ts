/** How the figures of a day are written. */
import { hoursInWords, kilowattHours } from '#shared/domain/nl.ts';

export const energyOf = (kWh: number | null): string => (kWh === null ? '--' : kilowattHours(kWh, 1));
export const durationOf = (seconds: number): string => hoursInWords(seconds / 3600);
