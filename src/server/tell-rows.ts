import { type Config, secretsOf } from './config.ts';
import { tellAudit } from './platform/audit.ts';
import { openLog } from './platform/log.ts';

/**
 * For a command: each row that it adds to the log is a line of JSON on standard output, as the portal's are, beside what it
 * says to who typed it.
 */
export function tellRows(config: Config): void {
  tellAudit(openLog(config.LOG_LEVEL, secretsOf(config)));
}
