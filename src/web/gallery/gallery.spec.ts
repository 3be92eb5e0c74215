import { globSync, readFileSync } from 'node:fs';
import { test as base, expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { preview } from 'vite';
import { findPinnedBrowser } from '#scripts/browser.ts';

const pinned = await findPinnedBrowser();
const NOW = new Date('2026-10-28T12:00:00Z');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

const SCHEMES = ['light', 'dark'] as const;

/** The stories of every component: ['ui/notice', ['Done', 'Failure', …]]. */
const COMPONENTS = globSync('src/web/{ui,map,chart}/*.stories.tsx')
  .toSorted()
  .map((file): [component: string, stories: string[]] => [
    file.replace(/^src\/web\/(.*)\.stories\.tsx$/, '$1'),
    [...readFileSync(file, 'utf8').matchAll(/^export const (\w+): Story/gm)].map(([, name = '']) => name),
  ]);

const test = base.extend<object, { gallery: string }>({
  gallery: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const server = await preview({
        configFile: 'gallery.config.ts',
        logLevel: 'warn',
        preview: { port: 0 },
      });
      await use(server.resolvedUrls!.local[0]!);
      await server.close();
    },
    { scope: 'worker' },
  ],
});

// Pictures of half the size keep the repository small. Font hinting is off, because it differs between systems.
if (pinned)
  test.use({
    launchOptions: { ...pinned, args: [...pinned.args, '--font-render-hinting=none'] },
    deviceScaleFactor: 0.5,
  });

/** Opens a story. @returns a list to which every error of the page and its console is added, also later ones */
async function openStory(page: Page, gallery: string, name: string): Promise<readonly string[]> {
  const errors: string[] = [];
  page.removeAllListeners();
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.clock.setFixedTime(NOW);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${gallery}?story=${name}`);
  await expect(page.locator('#story')).toBeAttached();
  await page.evaluate(axe.source);
  return errors;
}

/** Returns the violations that axe finds in a story (WCAG 2.2 AA and best practices), without rules about whole pages. */
const violations = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const rules = {
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
      'heading-order': { enabled: false },
    };
    const found = (await window.axe!.run({ resultTypes: ['violations'], rules })).violations;
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });

test('no story has an accessibility violation or an error in the console', async ({ page, gallery }) => {
  // Allows more time, because opening all stories while other tests run took longer than the usual limit.
  test.slow();
  expect(COMPONENTS.flatMap(([, stories]) => stories).length).toBeGreaterThan(100);
  for (const [component, stories] of COMPONENTS) {
    for (const story of stories) {
      const errors = await openStory(page, gallery, `${component}/${story}`);
      expect.soft(await violations(page), `${component}/${story}`).toEqual([]);
      expect.soft(errors, `${component}/${story}`).toEqual([]);
    }
  }
});

test('the keys, Tab and scrolling move through ten thousand rows, of which only the visible ones are in the DOM (APP-09, APP-10, MAP-13)', async ({
  page,
  gallery,
}) => {
  await openStory(page, gallery, 'ui/row-list/TenThousand');
  const rows = page.getByRole('listitem');
  const box = page.getByRole('list').locator('..');
  const link = (n: number) => page.getByRole('link', { name: `Machine ${n}`, exact: true });
  expect(await rows.count()).toBeLessThan(40);
  await expect(rows.first()).toHaveAttribute('aria-setsize', '10000');
  await link(1).focus();
  for (const [key, reached] of [
    ['ArrowDown', 2],
    ['End', 10_000],
    ['PageUp', 9_995],
    ['PageDown', 10_000],
    ['Home', 1],
    ['Tab', 2],
  ] as const) {
    await page.keyboard.press(key);
    await expect(link(reached), key).toBeFocused();
    await expect(link(reached), key).toBeInViewport({ ratio: 0.99 });
    expect(await rows.count()).toBeLessThan(40);
  }
  // Scrolling does not move the focus, and Tab continues from the focused row.
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await expect(link(5_001)).toBeInViewport();
  await expect(link(2)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(link(3)).toBeFocused();
  await expect(link(3)).toBeInViewport();
  // A row that is out of sight and has no focus is removed.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(link(3)).toHaveCount(0);
  // The last row can be reached also with text of twice the size.
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '32px';
  });
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(link(10_000)).toBeInViewport({ ratio: 0.99 });
  expect((await rows.last().boundingBox())?.height).toBeCloseTo(3 * 32, 0);
});

test('a long list is searched by words, and comes in portions of which the first new one gets the focus (USER-01)', async ({
  page,
  gallery,
}) => {
  await openStory(page, gallery, 'ui/searched-list/InPortions');
  const rows = page.getByRole('listitem');
  const field = page.getByRole('searchbox', { name: 'Zoek een account' });
  await expect(page.getByRole('status')).toHaveText('250 accounts');
  await field.fill('KLANT.nl account24');
  await expect(rows).toHaveCount(11);
  await expect(page.getByRole('status')).toHaveText('11 van 250 accounts');
  await field.fill('niemand');
  await expect(page.getByText('Niets gevonden')).toBeVisible();
  await field.fill('');
  await expect(rows).toHaveCount(100);
  await page.getByRole('button', { name: 'Toon meer accounts' }).click();
  await expect(rows).toHaveCount(200);
  await expect(rows.nth(100).getByRole('link')).toBeFocused();
});

test('a chart shows the time under the pointer, zooms by dragging, and shows everything after a double click (LOG-03)', async ({
  page,
  gallery,
}) => {
  await openStory(page, gallery, 'chart/zoom-area/Interactive');
  const shown = page.getByRole('status');
  const { x, y, width } = (await page.locator('.u-over').boundingBox())!;
  await page.mouse.move(x + width / 4, y + 10);
  await expect(shown).toHaveText('0.0 tot 24.0, moment 6.0');
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 10, { steps: 4 });
  await page.mouse.up();
  await expect(shown).toHaveText(/^6\.0 tot 12\.0/);
  await page.mouse.dblclick(x + width / 2, y + 10);
  await expect(shown).toHaveText(/^0\.0 tot 24\.0/);
});

test('in a chart, a touch with one finger selects a moment, and a second finger zooms around the first (LOG-03) @phone-only', async ({
  page,
  gallery,
}) => {
  await openStory(page, gallery, 'chart/zoom-area/Interactive');
  const shown = page.getByRole('status');
  const { x, y, width } = (await page.locator('.u-over').boundingBox())!;
  const at = (share: number, id: number) => ({ x: x + width * share, y: y + 10, id });
  const client = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: ReturnType<typeof at>[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', at(0.75, 1));
  await touch('touchEnd');
  await expect(shown).toHaveText('0.0 tot 24.0, moment 18.0');
  await touch('touchStart', at(0.25, 1));
  await touch('touchStart', at(0.25, 1), at(0.5, 2));
  await touch('touchMove', at(0.25, 1), at(0.74, 2));
  await touch('touchMove', at(0.25, 1), at(0.75, 2));
  await touch('touchEnd');
  // Half of the 24 hours is shown: the zoom doubled around the finger at a quarter of the width.
  await expect(shown).toHaveText(/^3\.\d tot 15\.\d/);
});

test('Enter on a marker opens its popup, and Escape gives the focus back (MAP-04, MAP-05)', async ({
  page,
  gallery,
}) => {
  await openStory(page, gallery, 'map/machine-markers/Interactive');
  const marker = page.getByRole('button', { name: /^Machine running, / });
  await marker.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Machine running' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(marker).toBeFocused();
});

// Pixels depend on the browser: pictures are compared only in the one that package-lock.json pins (decision 78).
for (const [component, stories] of COMPONENTS) {
  test(`${component} is accessible and looks as before: light and dark, on a phone and a desktop @long`, async ({
    page,
    gallery,
  }) => {
    for (const story of stories) {
      await openStory(page, gallery, `${component}/${story}`);
      const shown = page.locator('#story');
      const isWhole = (await shown.getAttribute('data-layout')) === 'fullscreen';
      const isMoving = (await shown.getAttribute('data-moving')) === 'true';
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          const name = [component, `${story}-${size}-${colorScheme}.png`];
          if (pinned && !isMoving)
            await expect.soft(isWhole ? page : shown).toHaveScreenshot(name, { scale: 'device' });
          expect.soft(await violations(page), name.join('/')).toEqual([]);
        }
      }
    }
  });
}
