import { plusDays } from './settings.ts';

/** First and last day, 'YYYY-MM-DD'. */
export type Period = { readonly from: string; readonly to: string };

const weekday = (day: string): number => (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7;
const monthOf = (year: number, month: number): Period => ({
  from: new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10),
  to: new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10),
});

/** Periods that have a name, as they are seen on a day. A week begins on Monday. */
export const PRESETS = [
  ['deze-week', 'Deze week'],
  ['vorige-week', 'Vorige week'],
  ['deze-maand', 'Deze maand'],
  ['vorige-maand', 'Vorige maand'],
  ['dit-jaar', 'Dit jaar'],
] as const;
export type Preset = (typeof PRESETS)[number][0];
export const isPreset = (text: string): text is Preset => PRESETS.some(([name]) => name === text);

/** @param today 'YYYY-MM-DD' in Amsterdam */
export function periodOf(preset: Preset, today: string): Period {
  const monday = plusDays(today, -weekday(today));
  const [year = 0, month = 1] = today.split('-').map(Number);
  if (preset === 'deze-week') return { from: monday, to: plusDays(monday, 6) };
  if (preset === 'vorige-week') return { from: plusDays(monday, -7), to: plusDays(monday, -1) };
  if (preset === 'deze-maand') return monthOf(year, month - 1);
  if (preset === 'vorige-maand') return monthOf(year, month - 2);
  return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` };
}
