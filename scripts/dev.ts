/** `npm run dev`: the server, restarted when its source changes, and Vite beside it. Ctrl-C stops both. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

type Part = { readonly name: string; readonly command: readonly string[] };
const PARTS: readonly Part[] = [
  { name: 'server', command: ['--watch', '--watch-preserve-output', 'src/server/main.ts'] },
  { name: 'web', command: ['node_modules/vite/bin/vite.js', '--clearScreen', 'false'] },
];

function start({ name, command }: Part): ChildProcess {
  const child = spawn(process.execPath, command, {
    // Whoever works on the portal signs in every few minutes.
    env: { REQUIRE_SECOND_FACTOR: 'none', ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream! }).on('line', (line) => console.log(`${name.padEnd(6)} | ${line}`));
  }
  child.on('exit', (code) => {
    if (!stopping) console.log(`${name.padEnd(6)} | stopped (${code ?? 'signal'})`);
    stop();
  });
  return child;
}

let stopping = false;
const children = PARTS.map(start);

/** One that stops takes the other with it; the second Ctrl-C does not wait. */
function stop(): void {
  for (const child of children) {
    if (child.exitCode === null) child.kill(stopping ? 'SIGKILL' : 'SIGINT');
  }
  stopping = true;
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
