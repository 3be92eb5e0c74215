import { pino } from 'pino';
import { type Config, secretsOf } from './config.ts';
import { tellAudit } from './platform/audit.ts';
import { openLog } from './platform/log.ts';

/** For a command: each row that it adds to the log is a line of JSON on standard error. Its result alone is on standard output. */
export function tellRows(config: Config): void {
  const standardError = pino.destination({ fd: 2, sync: true });
  tellAudit(openLog(config.LOG_LEVEL, secretsOf(config), standardError));
}
