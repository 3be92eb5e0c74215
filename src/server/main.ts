import { readConfig } from './config.ts';
import { startProcess } from './process.ts';

/** The production process: `npm start`. */
await startProcess(() => readConfig(process.env));
