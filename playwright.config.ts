import { defineConfig, devices } from '@playwright/test';
import { findTestBrowser } from './scripts/browser.ts';

const { executablePath, args } = await findTestBrowser();
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, locale: 'nl-NL' };

/**
 * Tests in a real browser: in e2e/ against the real server, which e2e/fixtures.ts starts; in src/web/ without a server. A tag in a test's title says where the test runs:
 *
 * | tag         | `npm test` | `npm run test:all`         |
 * |-------------|------------|----------------------------|
 * | none        | desktop    | desktop                    |
 * | @phone      | phone      | phone and desktop          |
 * | @phone-only | phone      | phone                      |
 * | @long       |            | desktop                    |
 * | @whole-demo |            | desktop, before all others |
 */
export default defineConfig({
  testMatch: ['e2e/*.spec.ts', 'src/web/**/*.spec.ts'],
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  snapshotPathTemplate: '{testFileDir}/pictures/{arg}{ext}',
  reporter: [['list']],
  // More workers than cores, because tests often wait for the page's next poll.
  workers: 3,
  // Long enough for a machine several times slower than ours.
  timeout: 150_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    locale: 'nl-NL',
    timezoneId: 'Europe/Amsterdam',
    launchOptions: { executablePath, args: [...args] },
    // Pages come from the server; the tests of the service worker allow it.
    serviceWorkers: 'block',
    // Tracing takes as much of the processor as the tests: use `npx playwright test --trace retain-on-failure` when needed.
    trace: 'off',
  },
  projects: [
    // First, and with one worker, because each worker of a project starts its own portal.
    { name: 'phone', grep: /@phone/, use: PHONE, workers: 1 },
    { name: 'desktop', grepInvert: /@long|@phone|@whole-demo/, use: DESKTOP },
    // First of the long ones, because it waits for minutes.
    { name: 'long-demo', grep: /@whole-demo/, use: DESKTOP },
    { name: 'long', grep: /@long|@phone(?!-only)/, use: DESKTOP },
  ],
});
