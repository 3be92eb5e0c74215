/**
 * Splits the standard error of a command into its rows of the log, which are lines of JSON, and the rest, without the line
 * that names its settings.
 */
export function rowsTold(stderr: string): {
  readonly stderr: string;
  readonly told: readonly Record<string, unknown>[];
} {
  const lines = stderr.split(/(?<=\n)/);
  const isRow = (line: string): boolean => line.startsWith('{"level":30');
  return {
    stderr: lines.filter((line) => !isRow(line) && !line.startsWith('Settings: ')).join(''),
    told: lines.filter(isRow).map((line) => JSON.parse(line).audit),
  };
}
