import { wallClockOf } from '#shared/domain/amsterdam-wall-clock.ts';

/** 'DD-MM-YY, HH:MM:SS' in Amsterdam, of an instant in ms: points of a route are seconds apart. */
export function momentInWords(ms: number): string {
  const [date = '', clock = ''] = wallClockOf(ms).split(' ');
  const [year = '', month, day] = date.split('-');
  return `${day}-${month}-${year.slice(2)}, ${clock}`;
}
