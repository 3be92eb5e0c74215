/** What people type as a day or a time. */
/** 'HH:mm' of what a person types as a time: '8:30', '0830', '8.30', '8'. undefined: it is none. */
export function typedClock(text: string): string | undefined {
  const parts = /^(\d{1,2})(?:[:.]?(\d{2}))?$/.exec(text.trim());
  if (!parts) return undefined;
  const [hour, minute] = [Number(parts[1]), Number(parts[2] ?? 0)];
  if (hour > 23 || minute > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** 'YYYY-MM-DD' of what a person types as a day: '1-11-2026', '01/11/26', '01112026', '2026-11-01'. undefined: it is none. */
export function typedDay(text: string): string | undefined {
  const trimmed = text.trim();
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed) ?? turned(trimmed);
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

function turned(text: string): string[] {
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/.exec(text) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(text) ??
    [];
  return ['', year.length === 2 ? `20${year}` : year, month, day];
}

/** 'YYYY-MM-DD HH:mm:00' of a day and a time behind it. undefined: it is none. */
export function typedMoment(text: string): string | undefined {
  const [, day = '', clock = ''] = /^([^ ,T]+)[ ,T]+(\S+)$/.exec(text.trim()) ?? [];
  const [iso, time] = [typedDay(day), typedClock(clock.replace(/^(\d\d:\d\d):\d\d$/, '$1'))];
  return iso && time ? `${iso} ${time}:00` : undefined;
}
