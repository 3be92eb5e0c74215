import { buildWeb, buildWebIfMissing } from './build-web.ts';

/** `npm run build`; `-- --if-missing` builds only when it is needed. */
await (process.argv.includes('--if-missing') ? buildWebIfMissing() : buildWeb());
