import { expect, test } from 'vitest';
import { amsterdamInstant } from './amsterdam-time.ts';
import { isOutsideHours } from './contact-hours.ts';

/** 2026-11-27 is a Friday. */
const at = (clock: string): number => amsterdamInstant(`2026-11-${clock}`, 'first') ?? Number.NaN;

test.each([
  ['werkdagen 06:00 tot 18:00', ['27 06:00', '27 17:59'], ['27 05:59', '27 18:00', '28 12:00', '29 12:00']],
  ['Werkdagen 06:00–18:00', ['27 06:00'], ['29 12:00']],
  ['uitvoerder, op werkdagen tot 17:00', ['27 16:59', '27 04:00'], ['27 17:00', '29 12:00']],
  ['planner, ma t/m do van 7.30 - 16.00 uur', ['26 07:30'], ['26 07:29', '27 12:00', '29 12:00']],
  ['zaterdag tot en met maandag 08:00-12:00', ['28 08:00', '29 11:59', '30 08:00'], ['27 08:00']],
  ['dagelijks 08:00 tot 24:00', ['29 23:59'], ['29 07:59']],
  ['werkdagen 22:00 tot 06:00', ['27 22:00', '28 05:59'], ['27 21:59', '28 06:00', '28 22:00', '30 05:00']],
])('the note "%s" covers %j and not %j (53.14)', (note, inside, outside) => {
  expect(inside.filter((clock) => isOutsideHours(note, at(clock)))).toEqual([]);
  expect(outside.filter((clock) => !isOutsideHours(note, at(clock)))).toEqual([]);
});

test.each([
  '',
  'uitvoerder',
  'dag en nacht',
  '24 uur per dag, ook in het weekend',
  'werkdagen',
  'werkdagen 06:00 tot 18:00, zaterdag 08:00 tot 12:00',
  'werkdagen 06:00 tot 18:00, in het weekend bij spoed',
  'werkdagen 06:00 tot 18:00, daarbuiten 06-12345678',
  'werkdagen 6 tot 18 uur',
  'werkdagen 26:00 tot 28:00',
  'werkdagen 08:00 tot 08:00',
])('the note "%s" has no readable hours, so that no time is outside them (53.14)', (note) => {
  expect(['27 03:00', '29 12:00'].filter((clock) => isOutsideHours(note, at(clock)))).toEqual([]);
});
