import { AMSTERDAM } from './nl.ts';

// The Swedish way of writing a date is ISO's.
const ISO_DAY = new Intl.DateTimeFormat('sv-SE', {
  timeZone: AMSTERDAM,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** 'YYYY-MM-DD' of an instant in ms, Europe/Amsterdam. */
export const amsterdamDay = (ms: number): string => ISO_DAY.format(ms);
