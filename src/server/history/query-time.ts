/** Instants and lengths of windows of time in URLs: `2026-11-21T08:00:00+01:00` or `-30d`, and `300m` (API-01). */

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 24 * 3_600_000,
  w: 7 * 24 * 3_600_000,
};
const RELATIVE = /^-(\d{1,7})(s|m|h|d|w)$/;
const WINDOW = /^(\d{1,9})(ms|s|m|h|d|w)$/;
// A plus sign that was not encoded arrives as a space.
const ISO = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+\- ]\d{2}:?\d{2})$/i;

/**
 * Parses an ISO time with its zone, or a time relative to now: '-30d', '-24h', '-90m'. A day is 24 hours.
 * @returns ms since 1970, negative before it; undefined for any other text
 */
export function parseQueryTime(text: string, nowMs: number): number | undefined {
  const relative = RELATIVE.exec(text);
  if (relative) return nowMs - Number(relative[1]) * (UNIT_MS[relative[2] as string] as number);
  const iso = ISO.exec(text);
  if (!iso) return undefined;
  const [, day = '', clock = '', zone = ''] = iso;
  if (!isDay(day)) return undefined;
  const ms = Date.parse(
    `${day}T${clock}${zone
      .toUpperCase()
      .replace(' ', '+')
      .replace(/(\d{2}):?(\d{2})$/, '$1:$2')}`,
  );
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns whether a day exists, because Date.parse turns 30 February into 2 March. */
function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** Returns the length of a window of time, such as '300m' or '1d', in ms; undefined for any other text. */
export function parseWindowMs(text: string): number | undefined {
  const found = WINDOW.exec(text);
  return found ? Number(found[1]) * (UNIT_MS[found[2] as string] as number) : undefined;
}
