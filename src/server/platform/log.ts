import { type DestinationStream, type Logger, pino } from 'pino';
import { makeSecretScrubber } from './scrub.ts';

/** Field names whose values are never logged. */
const NAMES = [
  'password',
  'newPassword',
  'organizationCode',
  'token',
  'secret',
  'email',
  'to',
  'cookie',
  'authorization',
  'headers',
  'query',
  'body',
  'parameters',
  'detail',
];

/**
 * Opens the portal's log: one JSON object per line, with `time` (ms), `level` (pino's numbers: 30 info, 40 warn, 50 error) and `msg`. It
 * never contains a secret or personal data: errors are reduced to kind, message and stack, and every line is scrubbed as it is written.
 * @param secrets the texts that are cut out wherever they appear
 * @param destination the stream that gets the lines; standard output by default
 */
export function openLog(level: string, secrets: readonly string[], destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: loggableError, error: loggableError, req: () => undefined, res: () => undefined },
      redact: { paths: NAMES.flatMap((name) => [name, `*.${name}`]), remove: true },
      hooks: { streamWrite: makeSecretScrubber(secrets) },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

type LoggedError = { type: string; code?: string; message: string; stack?: string; cause?: LoggedError };

/**
 * Returns the loggable part of an error. Other fields are left out: pg's contain the values of a refused row, nodemailer's the
 * recipients.
 */
function loggableError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'Something was thrown that is no error.' };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    ...(typeof code === 'string' && { code }),
    message: withoutValues(error, message),
    ...(stack !== undefined && { stack: withoutValues(error, stack) }),
    ...(cause instanceof Error && depth < 3 && { cause: loggableError(cause, depth + 1) }),
  };
}

/** Removes values that PostgreSQL quotes: `invalid input syntax for type integer: "…"`. */
function withoutValues(error: Error, text: string): string {
  return 'severity' in error ? text.replace(/: "(?:[^"\\]|\\.)*"/g, ': "[…]"') : text;
}
