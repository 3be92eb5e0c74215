import { type Logger, pino } from 'pino';

/** A log that is kept, to be looked through. */
export type RecordingLog = {
  readonly logger: Logger;
  lines(): readonly string[];
  /** The lines of level error and above. */
  errors(): readonly string[];
};

const ERROR = 50;

export function recordingLog(): RecordingLog {
  const lines: string[] = [];
  return {
    logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    lines: () => lines,
    errors: () => lines.filter((line) => (JSON.parse(line) as { level: number }).level >= ERROR),
  };
}
