import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';

type Icon = { readonly src: string; readonly sizes: string; readonly type: string; readonly purpose: string };

test('the manifest has a Dutch name, and small icons that exist in their stated sizes (15.9h)', async () => {
  const manifest = JSON.parse(await readFile('public/manifest.webmanifest', 'utf8'));
  expect(manifest).toMatchObject({
    id: '/',
    name: 'Werkstroom',
    lang: 'nl',
    start_url: '/',
    scope: '/',
    display: 'standalone',
  });
  const icons: Icon[] = manifest.icons;
  // Chrome requires plain icons of 192 and 512 pixels, and a maskable one.
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    'any any',
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes, type } of icons) {
    const file = await readFile(`public${src}`);
    const { width, height, format } = await sharp(file).metadata();
    expect(type, src).toContain(format);
    if (sizes !== 'any') expect(`${width}x${height}`, src).toBe(sizes);
    expect(file.length, src).toBeLessThan(10_000);
  }
  const page = await readFile('index.html', 'utf8');
  expect(page).toContain('href="/manifest.webmanifest"');
  expect(page).toContain('href="/icons/apple-touch-icon.png"');
});
