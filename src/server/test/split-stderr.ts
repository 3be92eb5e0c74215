/** Separates the audit rows (JSON lines) in a command's standard error from the rest, and drops the line with the command's settings. */
export function splitStderr(stderr: string): {
  readonly stderr: string;
  readonly auditRows: readonly Record<string, unknown>[];
} {
  const lines = stderr.split(/(?<=\n)/);
  const isRow = (line: string): boolean => line.startsWith('{"level":30');
  return {
    stderr: lines.filter((line) => !isRow(line) && !line.startsWith('Settings: ')).join(''),
    auditRows: lines.filter(isRow).map((line) => JSON.parse(line).audit),
  };
}
