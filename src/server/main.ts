import { startProcess } from './process.ts';
import { readSettings } from './settings.ts';

/** Runs `npm start`, the production process. */
await startProcess(readSettings);
