import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';

/** Which Chromium the browser tests use, and how it is started. */
export type Browser = { readonly executablePath: string; readonly args: readonly string[] };

/** Where Linux distributions, macOS and Windows put theirs. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

// As root there is no sandbox; the rest keeps it from asking for the internet (reference/front.md section 5).
const ARGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * CHROMIUM_PATH, else an installed browser, else the one from npm (Linux x64).
 * @throws Error that says what to install
 */
export async function findBrowser(): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH;
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH names no file: ${given}`);
  const installed = given ?? INSTALLED.find((path) => existsSync(path));
  if (installed) return { executablePath: installed, args: ARGS };
  if (process.platform === 'linux' && process.arch === 'x64') {
    return { executablePath: await chromium.executablePath(), args: [...ARGS, '--no-sandbox'] };
  }
  throw new Error('No Chromium found: install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
}
