import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';

/** What a program needs when it runs: files, relative to `root`, and packages by name. */
export type Closure = { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> };

/** `import type` is gone at run time; `import { type X }` still loads its module. */
const IMPORTS =
  /^(?:import|export)\s(?!type\b)[^'"]*?from\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|new URL\(\s*['`](\.[^'`$]+)['`]\s*,\s*import\.meta\.url/gm;
const CODE = /\.(?:ts|tsx|js|mjs)$/;

/**
 * Follows the imports of `entries` (paths relative to `root`), dynamic ones with a plain name and files beside a
 * module (`new URL('./…', import.meta.url)`) included.
 * @param aliases of package.json's `imports`, such as `#server/*` to `./src/server/*`
 */
export function importClosure(
  root: string,
  entries: readonly string[],
  aliases: Readonly<Record<string, string>>,
): Closure {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    if (!CODE.test(file)) return;
    for (const [, ...groups] of readFileSync(join(root, file), 'utf8').matchAll(IMPORTS)) {
      const name = groups.find((group) => group !== undefined) as string;
      if (name.startsWith('node:') || builtinModules.includes(name)) continue;
      if (name.startsWith('.')) {
        const path = normalize(join(dirname(file), name));
        // A folder is no module: whoever names one reads what is in it.
        if (!path.endsWith('/') && path !== '.' && /\.[a-z]+$/.test(path)) visit(path);
        continue;
      }
      const alias = Object.keys(aliases).find((key) => name.startsWith(key.slice(0, -1)));
      if (alias === undefined)
        packages.add(
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        );
      else visit(normalize((aliases[alias] as string).replace('*', name.slice(alias.length - 1))));
    }
  };
  for (const entry of entries) visit(entry);
  return { files, packages };
}
