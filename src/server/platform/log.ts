import { type DestinationStream, type Logger, pino } from 'pino';
import { scrub } from './scrub.ts';

/** Names under which somebody might log what no log may hold. */
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
 * The portal's log: one JSON object per line, with `time` (ms), `level` (pino's numbers: 30 info, 40 warn, 50 error)
 * and `msg`. Never a secret or anything about a person: errors are told by their kind, message and stack alone, and
 * every line is scrubbed once more as it is written.
 * @param secrets texts that are cut out wherever they appear
 * @param destination standard output, when left out
 */
export function openLog(level: string, secrets: readonly string[], destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: told, error: told, req: () => undefined, res: () => undefined },
      redact: { paths: NAMES.flatMap((name) => [name, `*.${name}`]), remove: true },
      hooks: { streamWrite: scrub(secrets) },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

type Told = { type: string; code?: string; message: string; stack?: string; cause?: Told };

/**
 * What is told of an error. Not its other fields: pg's hold the values of the row that it refused, nodemailer's the
 * recipients.
 */
function told(error: unknown, depth = 0): Told {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'Something was thrown that is no error.' };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    ...(typeof code === 'string' && { code }),
    message: withoutValues(error, message),
    ...(stack !== undefined && { stack: withoutValues(error, stack) }),
    ...(cause instanceof Error && depth < 3 && { cause: told(cause, depth + 1) }),
  };
}

/** PostgreSQL quotes what it could not read: `invalid input syntax for type integer: "…"`. */
function withoutValues(error: Error, text: string): string {
  return 'severity' in error ? text.replace(/: "(?:[^"\\]|\\.)*"/g, ': "[…]"') : text;
}
