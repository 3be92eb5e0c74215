import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** Settings for the smallest fleet of each benchmark and the fewest rounds: the test only shows that each benchmark runs. */
const SMALL = {
  ALERT_MACHINES: '100',
  ALERT_PAIRS: '1',
  DAY_FIGURES_CHANGES: '1',
  DAY_FIGURES_PAIRS: '1',
  DECODE_PAIRS: '1',
  HISTORY_MACHINES: '2',
  HOME_MACHINES: '2000',
  INGEST_PAIRS: '1',
  LIVE_MACHINES: '1000',
  OVERVIEW_MACHINES: '200',
  REPORT_MACHINES: '10',
  STEADY_LOGGERS: '10',
  STEADY_MINUTES: '0.2',
  UPLOAD_ROUNDS: '1',
};

const NAMES = readdirSync('bench').flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);

test.each(NAMES)('npm run bench -- %s prints its measurements (45.7)', { timeout: 600_000 }, async (name) => {
  const bench = spawn(process.execPath, ['werkstroom.js', 'bench', name], {
    env: { ...process.env, ...SMALL },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [shown, errors] = await Promise.all([text(bench.stdout), text(bench.stderr)]);
  const rows = shown.split('\n').filter((line) => line.startsWith(`${name}: `));
  expect(rows.length, errors).toBeGreaterThan(0);
  expect(rows.filter((line) => line.startsWith(`${name}: failed`))).toEqual([]);
});
