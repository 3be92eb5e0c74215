import { formatOf } from './log-file-name.ts';
import { LogError } from './log-outcome.ts';

/**
 * Returns the error for a log that its logger encrypted, or compressed in a proprietary format, according to the file's name;
 * undefined for any other name.
 */
export const encryptedLogError = (name: string): LogError | undefined =>
  formatOf(name) === 'encrypted'
    ? new LogError('encrypted', { kind: /\.rxe/i.test(name) ? 'encrypted-rxe' : 'packed-canedge' })
    : undefined;
