/**
 * Returns a text from an unauthenticated client in a form that PostgreSQL accepts and a screen can show: unprintable
 * characters become U+FFFD, because one NUL would block the counters of all loggers.
 * @param longest number of UTF-16 units that are kept
 */
export const sanitizeUntrustedText = (text: string, longest: number): string =>
  text.toWellFormed().replace(/\p{C}/gu, '\uFFFD').slice(0, longest).toWellFormed();
