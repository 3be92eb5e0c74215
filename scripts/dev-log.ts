import { stripVTControlCharacters, styleText } from 'node:util';

/** pino's level numbers. */
const LEVELS: ReadonlyMap<unknown, string> = new Map([
  [10, 'trace'],
  [20, 'debug'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
]);
const COLOURS = { warn: 'yellow', error: 'red', fatal: 'red' } as const;
/** A longer field of a log line is cut. */
const FIELD_CHARACTERS = 120;
const LOCAL_TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/**
 * Returns a line of the portal's log as a person reads it: local time, level, message, the other fields as `name=value`,
 * and an error's stack on lines of its own. A line that is not pino's JSON is returned unchanged.
 */
export function formatLogLine(line: string): string {
  const entry = parsed(line);
  const level = LEVELS.get(entry?.level);
  if (!entry || !level) return line;
  const { time, msg, err, level: _, ...fields } = entry;
  const stack = (err as { stack?: unknown } | undefined)?.stack;
  const text = [
    LOCAL_TIME.format(Number(time)),
    level.padEnd(5),
    msg,
    ...Object.entries(fields).map(([name, value]) => `${name}=${shortened(JSON.stringify(value))}`),
  ].join(' ');
  const shown = typeof stack === 'string' ? `${text}\n${stack}` : text;
  return level in COLOURS ? styleText(COLOURS[level as keyof typeof COLOURS], shown) : shown;
}

const shortened = (text: string): string =>
  text.length > FIELD_CHARACTERS ? `${text.slice(0, FIELD_CHARACTERS)}…` : text;

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = line.startsWith('{') ? JSON.parse(line) : undefined;
    return value as Record<string, unknown> | undefined;
  } catch {
    return undefined;
  }
}

/** Matches what Vite prints, in three lines, for each request that the browser makes while the server restarts. */
const PROXY_ERROR = /\[vite\].* proxy error: |^Error: connect ECONNREFUSED |\bTCPConnectWrap\.afterConnect\b/;

/** Returns whether a line is a proxy error of Vite; it may be hidden, because another line says that the server is restarting. */
export const isProxyError = (line: string): boolean => PROXY_ERROR.test(stripVTControlCharacters(line));
