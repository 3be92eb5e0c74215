/**
 * Returns a text that a stranger sent, as PostgreSQL takes it and a screen shows it: characters that cannot be read (one NUL would
 * stop everybody's counters) become U+FFFD. @param longest number of UTF-16 units that are kept
 */
export const strangerText = (text: string, longest: number): string =>
  text.toWellFormed().replace(/\p{C}/gu, '\uFFFD').slice(0, longest).toWellFormed();
