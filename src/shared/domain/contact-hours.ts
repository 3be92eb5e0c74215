/** Reads the hours of a contact from its note: 'werkdagen 06:00 tot 18:00', 'uitvoerder, ma t/m vr tot 17:00 uur'. */
import { wallClockOf } from './amsterdam-time.ts';
import { WEEKDAYS } from './nl.ts';

/** Minutes of the day; `to` before `from`: until the next day. */
type ContactHours = {
  /** Returns whether the hours apply on a weekday; 0: Monday. */
  readonly isOn: (weekday: number) => boolean;
  readonly from: number;
  readonly to: number;
};

const HOURS =
  /\b(?:werkdagen|doordeweeks|(?<daily>elke dag|dagelijks)|(?<first>[a-z]+) ?(?:t\/m|tot en met|-|–) ?(?<last>[a-z]+)),? (?:van )?(?:(?<from>\d{1,2}[:.]\d{2})(?: uur)? ?(?:tot|-|–) ?|tot )(?<to>\d{1,2}[:.]\d{2})(?: uur)?/;
/** Words that mean other days, other hours or exceptions: if the rest of a note has one, the note counts as having no hours. */
const MORE = /\d|dag|nacht|avond|ochtend|weekend|buiten|behalve|altijd|niet|\b(?:ma|di|wo|do|vr|za|zo)\b/;

/** Returns the number of a day by its name or its first two letters, 0 for Monday; -1: no day. */
const dayAt = (name: string): number => WEEKDAYS.findIndex((day) => day === name || day.slice(0, 2) === name);

/** Returns minutes of the day; undefined: the text is no time. */
function minutesOf(time: string): number | undefined {
  const [hours = 0, minutes = 0] = time.split(/[:.]/).map(Number);
  const all = hours * 60 + minutes;
  return minutes < 60 && all <= 24 * 60 ? all : undefined;
}

/** Returns the hours in a note; undefined: the note has none, or its other text matches MORE. */
function hoursIn(note: string): ContactHours | undefined {
  const text = note.toLowerCase();
  const { groups, index = 0, 0: found = '' } = HOURS.exec(text) ?? {};
  if (!groups || MORE.test(`${text.slice(0, index)} ${text.slice(index + found.length)}`)) return undefined;
  const from = minutesOf(groups.from ?? '0:00');
  const to = minutesOf(groups.to ?? '');
  if (from === undefined || to === undefined || from === to) return undefined;
  const [first, last] = groups.daily ? [0, 6] : [dayAt(groups.first ?? 'ma'), dayAt(groups.last ?? 'vr')];
  if (first < 0 || last < 0) return undefined;
  const isOn = (day: number): boolean =>
    first <= last ? first <= day && day <= last : first <= day || day <= last;
  return { isOn, from, to };
}

/** Returns whether a contact's note contains hours, and `now` (ms) lies outside them in Amsterdam. */
export function isOutsideHours(note: string, now: number): boolean {
  const hours = hoursIn(note);
  if (!hours) return false;
  const clock = wallClockOf(now);
  const today = (new Date(`${clock.slice(0, 10)}T00:00Z`).getUTCDay() + 6) % 7;
  const minute = Number(clock.slice(11, 13)) * 60 + Number(clock.slice(14, 16));
  const { isOn, from, to } = hours;
  if (from < to) return !(isOn(today) && from <= minute && minute < to);
  const isOfYesterday = isOn((today + 6) % 7) && minute < to;
  return !(isOfYesterday || (isOn(today) && from <= minute));
}
