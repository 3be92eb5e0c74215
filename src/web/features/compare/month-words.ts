const MONTH = new Intl.DateTimeFormat('nl-NL', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** Months that can be chosen: two years. */
const MOST_MONTHS = 24;

/** 'november 2026'. @param month 'YYYY-MM' */
export const monthInWords = (month: string): string => MONTH.format(new Date(`${month}-01T00:00Z`));

/** The months up to today's, newest first, and the chosen one. @param today 'YYYY-MM-DD' */
export function monthsUntil(today: string, chosen: string): string[] {
  const months = Array.from({ length: MOST_MONTHS }, (_, back) => {
    const date = new Date(`${today.slice(0, 7)}-01T00:00Z`);
    date.setUTCMonth(date.getUTCMonth() - back);
    return date.toISOString().slice(0, 7);
  });
  return months.includes(chosen) ? months : [...months, chosen].sort().reverse();
}
