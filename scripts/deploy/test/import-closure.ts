import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';

/** Files (relative to `root`) and packages that a program needs at run time. */
export type Closure = { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> };

/** Matches imports that load a module: not `import type`, but `import { type X }`. */
const IMPORTS =
  /^(?:import|export)\s(?!type\b)[^'"]*?from\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|new URL\(\s*['`](\.[^'`$]+)['`]\s*,\s*import\.meta\.url/gm;
const CODE = /\.(?:ts|tsx|js|mjs)$/;

/**
 * Follows the imports of `entries` (paths relative to `root`), including dynamic ones with a plain name and files next to a module
 * (`new URL('./…', import.meta.url)`).
 * @param aliases `imports` of package.json, such as `#server/*` to `./src/server/*`
 */
export function collectImportClosure(
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
        // A path without a file extension is a folder whose files are read at run time, not a module to follow.
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
