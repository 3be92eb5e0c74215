/**
 * JavaScript sizes (docs/design.md section 11): what a browser that was never here before has loaded when sign-in, and
 * home with 24 machines, have come to rest; each file compressed with gzip as the build does. 1 kB is 1,000 bytes.
 */
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Response } from '@playwright/test';
import { MARKER, newVisitor, startBrowser } from './bench-browser.ts';
import { startBenchPortal } from './bench-portal.ts';
import type { Bench, Row } from './row.ts';

const MACHINES = 24;
const SIGN_IN_KB = 180;
const HOME_KB = 320;

export const javascript: Bench = async (place) => {
  const browser = await startBrowser(place);
  const portal = await startBenchPortal(place);
  await portal.report(await portal.machines(MACHINES), 0, Date.now());
  const cookie = await portal.signIn();
  const { address } = portal;
  const signIn = await loaded(browser, address, '/signin', undefined, (page) =>
    page.getByLabel('E-mailadres').waitFor(),
  );
  const home = await loaded(browser, address, '/', cookie, (page) => page.locator(MARKER).first().waitFor());
  return [rowOf('sign-in', signIn, SIGN_IN_KB), rowOf('home', home, HOME_KB)];
};

type Script = { readonly name: string; readonly gzipBytes: number };

async function loaded(
  browser: Browser,
  address: string,
  path: string,
  cookie: string | undefined,
  shown: (page: Page) => Promise<void>,
): Promise<Script[]> {
  const context = await newVisitor(browser, address, cookie);
  const scripts: Promise<Script>[] = [];
  context.on('response', (response) => {
    if (/javascript/.test(response.headers()['content-type'] ?? '')) scripts.push(scriptOf(response));
  });
  const page = await context.newPage();
  await page.goto(path);
  await shown(page);
  await page.waitForLoadState('networkidle');
  const list = await Promise.all(scripts);
  await context.close();
  if (list.length === 0) throw new Error(`${path} loaded no JavaScript.`);
  return list.toSorted((a, b) => b.gzipBytes - a.gzipBytes);
}

async function scriptOf(response: Response): Promise<Script> {
  const name = new URL(response.url()).pathname.split('/').at(-1) ?? '';
  return { name, gzipBytes: gzipSync(await response.body(), { level: 9 }).length };
}

function rowOf(page: string, scripts: readonly Script[], reachKb: number): Row {
  const bytes = scripts.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
  const inKb = (size: number) => (size / 1000).toFixed(1);
  return {
    what: `JavaScript of ${page}, gzip`,
    measured: `${inKb(bytes)} kB`,
    reach: `<= ${reachKb} kB`,
    reached: bytes <= reachKb * 1000,
    notes: [
      `${scripts.length} files, kB: ${scripts.map(({ name, gzipBytes }) => `${name} ${inKb(gzipBytes)}`).join(', ')}`,
    ],
  };
}
