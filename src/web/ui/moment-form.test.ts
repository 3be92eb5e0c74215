import { expect, test } from 'vitest';
import { typedClock } from './moment-form.tsx';

test.each([
  ['08:30', '08:30'],
  ['8:30', '08:30'],
  ['8.30', '08:30'],
  ['0830', '08:30'],
  ['830', '08:30'],
  [' 8 ', '08:00'],
  ['0:00', '00:00'],
  ['23:59', '23:59'],
  ['24:00', undefined],
  ['12:60', undefined],
  ['8:3', undefined],
  ['', undefined],
  ['acht uur', undefined],
])('MDET-13 APP-12 typed as a time, %j is %s', (text, clock) => expect(typedClock(text)).toBe(clock));
