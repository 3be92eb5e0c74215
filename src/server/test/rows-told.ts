/** What a command said on standard output: its rows of the log, which are lines of JSON, and the rest. */
export function rowsTold(stdout: string): {
  readonly stdout: string;
  readonly told: readonly Record<string, unknown>[];
} {
  const lines = stdout.split(/(?<=\n)/);
  const isRow = (line: string): boolean => line.startsWith('{"level":30');
  return {
    stdout: lines.filter((line) => !isRow(line)).join(''),
    told: lines.filter(isRow).map((line) => JSON.parse(line).audit),
  };
}
