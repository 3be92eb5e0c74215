import { defineConfig, devices } from '@playwright/test';
import { findTestBrowser } from './scripts/browser.ts';

const { executablePath, args } = await findTestBrowser();

/**
 * On the phone: the map, which is used differently there, and the journey from a mailed invitation. What is the same page in one
 * column is gone through on the desktop only. In `npm run test:long` alone (`@long`): whole fleets, long journeys, second ones of a
 * page and pages whose server fails; on the desktop the map, but for what it has only there, and that journey; and the look for
 * accessibility in every state of a page: that of every page is in both.
 */
const LONG = /@long/;
/** It waits for minutes, and begins before all others. */
const WHOLE_DEMO = /@whole-demo/;
const AXE_IN_STATES = /^(?!.*axe\.spec\.ts).*\baxe\b/;
const INVITATION = /from the invitation to the first sight of the map/;
/** The map, with following and the nearest machines. */
const MAP = 'map(?:-follow|-nearest)?\\.spec\\.ts';
/** What map.spec.ts skips on a phone. */
const WIDE_MAP = 'on a wider screen|the keyboard reaches a marker';
const MAP_AS_ON_PHONE = new RegExp(`\\b${MAP}\\b(?!.*(?:${WIDE_MAP}))`);
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, locale: 'nl-NL' };

/** Tests in a real browser against the real server, which e2e/fixtures.ts starts. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  reporter: [['list']],
  // More than cores: much of it waits for the next poll.
  workers: 3,
  // Of a machine several times slower than ours: what is really broken fails as well, only later.
  timeout: 150_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    locale: 'nl-NL',
    timezoneId: 'Europe/Amsterdam',
    launchOptions: { executablePath, args: [...args] },
    // What most journeys see is the server's; what the service worker does, e2e/service-worker.spec.ts asks for.
    serviceWorkers: 'block',
    // Tracing takes as much of the processor as the tests: `npx playwright test --trace retain-on-failure` when needed.
    trace: 'off',
  },
  projects: [
    // First, and by one worker: each worker of a project starts a portal of its own.
    { name: 'phone', grep: [new RegExp(`\\b${MAP}`), INVITATION], grepInvert: LONG, use: PHONE, workers: 1 },
    { name: 'desktop', grepInvert: [LONG, AXE_IN_STATES, INVITATION, MAP_AS_ON_PHONE], use: DESKTOP },
    { name: 'long demo', grep: WHOLE_DEMO, use: DESKTOP },
    {
      name: 'long',
      grep: [LONG, AXE_IN_STATES, INVITATION, MAP_AS_ON_PHONE],
      grepInvert: WHOLE_DEMO,
      use: DESKTOP,
    },
  ],
});
