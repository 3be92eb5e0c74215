/** One line that is written over, on a terminal; elsewhere nothing. */
export function progressOf(what: string): { show(done: number, total: number): void; end(): void } {
  let shown = '';
  return {
    show(done, total) {
      if (!process.stderr.isTTY) return;
      const part = total === 0 ? 1 : Math.min(1, done / total);
      const bar = '#'.repeat(Math.round(part * 30)).padEnd(30, '.');
      const line = `\r${what.padEnd(10)} [${bar}] ${Math.round(part * 100)} % `;
      if (line === shown) return;
      shown = line;
      process.stderr.write(line);
    },
    end() {
      if (shown) process.stderr.write('\n');
    },
  };
}
