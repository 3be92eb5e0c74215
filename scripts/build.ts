import { buildWeb, buildWebIfMissing } from './build-web.ts';

/** `npm run build`: builds the web pages; with `-- --if-missing` only if dist/ is missing or older than the sources. */
await (process.argv.includes('--if-missing') ? buildWebIfMissing() : buildWeb());
