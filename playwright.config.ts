import { defineConfig, devices } from '@playwright/test';
import { findTestBrowser } from './scripts/browser.ts';

const { executablePath, args } = await findTestBrowser();

/**
 * On the phone: the map, which is used differently there, the journeys of signing in, which begin with a mail or with a phone in
 * the hand, and every page's look for accessibility in the dark; the one in the light is on the desktop. What is the same page
 * in one column is gone through on the desktop only, so that all tests stay below ten minutes.
 */
const DARK = /\baxe\b.*\bdark\b/;
const SIGNING_IN = [
  'from the invitation to the first sight of the map',
  'a passkey is added and signs in',
  'the phone is lost',
  'somebody new signs in by it',
  'ending another session',
  'the log finds who deleted a machine',
];
const PHONE = new RegExp(`map\\.spec\\.ts|${SIGNING_IN.join('|')}|${DARK.source}`);

/** Journeys in a real browser against the real server (e2e/portal.ts starts it). */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  reporter: [['list']],
  // More than cores: much of it waits for the next poll.
  workers: 4,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    locale: 'nl-NL',
    timezoneId: 'Europe/Amsterdam',
    launchOptions: { executablePath, args: [...args] },
    // Tracing takes as much of the processor as the tests: `npx playwright test --trace retain-on-failure` when needed.
    trace: 'off',
  },
  projects: [
    { name: 'desktop', grepInvert: DARK, use: { viewport: { width: 1280, height: 800 } } },
    {
      name: 'phone',
      grep: PHONE,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, locale: 'nl-NL' },
    },
  ],
});
