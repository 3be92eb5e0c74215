/**
 * Builds the web pages into dist/ with the service worker that caches them, and writes compressed copies next to the originals,
 * which the server sends.
 */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { InlineConfig } from 'vite';
import { pageSegments } from '#web/app/page-segments.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');
/** Files and folders whose change makes a build outdated. */
const SOURCES = [
  'src/web',
  'src/shared',
  'public',
  'index.html',
  'vite.config.ts',
  'scripts/build-web.ts',
  'package-lock.json',
];

/** Last file that a build writes; without it the build is incomplete. Its date is the start of the build. */
const LAST_FILE = join(DIST, 'index.html.br');

/** Files to compress: not images, which are compressed already, and not source maps. */
const COMPRESSED = /\.(js|css|html|svg|json|txt)$/;

/** Builds the pages. Rejects if Vite fails; warnings go to the terminal. */
export async function buildWeb(): Promise<void> {
  const startedAt = new Date();
  await buildForProduction({ root: ROOT, logLevel: 'warn' });
  await buildServiceWorker(DIST);
  const files = await readdir(DIST, { recursive: true });
  const assets = files.filter((name) => COMPRESSED.test(name) && name !== 'index.html');
  await Promise.all(assets.map((name) => compress(join(DIST, name))));
  await compress(join(DIST, 'index.html'));
  await utimes(LAST_FILE, startedAt, startedAt);
}

/** Builds the service worker as one classic script, with the list of the files of the pages, which must already be built into `folder`. */
export async function buildServiceWorker(folder: string): Promise<void> {
  const assets = (await readdir(join(folder, 'assets'))).filter((name) =>
    /\.(js|css|woff2?|svg|png)$/.test(name),
  );
  const built = async (path: string, file: string): Promise<object> => {
    const content = await readFile(join(folder, file));
    // Hash for Subresource Integrity.
    return { path, integrity: `sha256-${createHash('sha256').update(content).digest('base64')}` };
  };
  const files = await Promise.all(
    assets.toSorted().map((name) => built(`/assets/${name}`, `assets/${name}`)),
  );
  const page = await built('/', 'index.html');
  const version = createHash('sha256')
    .update(JSON.stringify([files, page]))
    .digest('hex')
    .slice(0, 16);
  await buildForProduction({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: {
      FILES: JSON.stringify(files),
      PAGE: JSON.stringify(page),
      VERSION: JSON.stringify(version),
      PAGE_SEGMENTS: JSON.stringify(pageSegments),
    },
    build: {
      outDir: folder,
      emptyOutDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(ROOT, 'src/web/service-worker/service-worker.ts'),
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
}

/** Builds the pages only if dist/ is missing or older than the sources. */
export async function buildWebIfMissing(): Promise<void> {
  if (isOutdated(LAST_FILE)) await buildWeb();
}

/** Builds the gallery of components, which tests use, into .gallery/, unless .gallery/ is newer than the sources. */
export async function buildGalleryIfMissing(): Promise<void> {
  if (!isOutdated(join(ROOT, '.gallery/index.html'))) return;
  await buildForProduction({ configFile: join(ROOT, 'gallery.config.ts'), logLevel: 'warn' });
}

/**
 * Runs Vite with NODE_ENV=production. With another value, such as the one that Vitest sets, it would bundle the development build of
 * React, which is larger and slower.
 */
export async function buildForProduction(options: InlineConfig): Promise<void> {
  // Imported here, since a production install has dist/ but no development packages.
  const { build } = await import('vite');
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await build(options);
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

function isOutdated(lastFile: string): boolean {
  const builtAt = statSync(lastFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return builtAt <= Math.max(...SOURCES.map((path) => newest(join(ROOT, path))));
}

/** Returns the last change at or below `path`, in ms; removing a file changes the date of its folder. */
function newest(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  const inside = stat.isDirectory() ? readdirSync(path).map((name) => newest(join(path, name))) : [];
  return Math.max(stat.mtimeMs, ...inside);
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await writeFile(`${file}.gz`, gz);
  await writeFile(`${file}.br`, br);
}
