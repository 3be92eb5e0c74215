import { startIdleGarbageCollection } from './platform/idle-garbage.ts';
import { startProcess } from './process.ts';
import { readSettings } from './settings.ts';

/** Runs the production process (`npm start`). */
await startProcess(readSettings);
startIdleGarbageCollection();
