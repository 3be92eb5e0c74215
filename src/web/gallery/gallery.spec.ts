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

// Half the size, so that git keeps little; the system's hinting of fonts would change the pictures.
if (pinned)
  test.use({
    launchOptions: { ...pinned, args: [...pinned.args, '--font-render-hinting=none'] },
    deviceScaleFactor: 0.5,
  });

/** Opens a story. @returns the list of errors, to which later ones are added */
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

/** What axe finds in a story (WCAG 2.2 AA and best practices), except by rules about whole pages. */
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
  expect(COMPONENTS.flatMap(([, stories]) => stories).length).toBeGreaterThan(100);
  for (const [component, stories] of COMPONENTS) {
    for (const story of stories) {
      const errors = await openStory(page, gallery, `${component}/${story}`);
      expect.soft(await violations(page), `${component}/${story}`).toEqual([]);
      expect.soft(errors, `${component}/${story}`).toEqual([]);
    }
  }
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
