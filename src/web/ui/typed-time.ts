/** Parses days and times as people type them. */

/** Parses a time such as '8:30', '0830', '8.30' or '8' to 'HH:mm'; undefined if the text is no time. */
export function parseTypedClock(text: string): string | undefined {
  const parts = /^(\d{1,2})(?:[:.]?(\d{2}))?$/.exec(text.trim());
  if (!parts) return undefined;
  const [hour, minute] = [Number(parts[1]), Number(parts[2] ?? 0)];
  if (hour > 23 || minute > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** Parses a day such as '1-11-2026', '01/11/26', '01112026' or '2026-11-01' to 'YYYY-MM-DD'; undefined if the text is no day. */
export function parseTypedDay(text: string): string | undefined {
  const trimmed = text.trim();
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed) ?? dayFirst(trimmed);
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

function dayFirst(text: string): string[] {
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/.exec(text) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(text) ??
    [];
  return ['', year.length === 2 ? `20${year}` : year, month, day];
}

/** Parses a day and a time to 'YYYY-MM-DD HH:mm:00'; undefined if the text is no day and time. */
export function parseTypedMoment(text: string): string | undefined {
  const [, day = '', clock = ''] = /^([^ ,T]+)[ ,T]+(\S+)$/.exec(text.trim()) ?? [];
  const [iso, time] = [parseTypedDay(day), parseTypedClock(clock.replace(/^(\d\d:\d\d):\d\d$/, '$1'))];
  return iso && time ? `${iso} ${time}:00` : undefined;
}
