import { buildWeb, buildWebIfMissing } from './build-web.ts';

/** Runs `npm run build`; with `-- --if-missing` only if needed. */
await (process.argv.includes('--if-missing') ? buildWebIfMissing() : buildWeb());
