import { type Logger, pino } from 'pino';

/** A log that keeps its lines for inspection. */
export type RecordingLog = {
  readonly logger: Logger;
  lines(): readonly string[];
  /** Returns the lines of level error and above. */
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
