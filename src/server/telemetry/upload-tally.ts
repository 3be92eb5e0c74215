import type { CounterName, Counters } from './counters.ts';

/** The counters of all loggers together, and the number of uploads with an unknown key, in this process since its start. */
export type UploadTally = Record<CounterName | 'unknownKey', number>;

export const newUploadTally = (): UploadTally => ({
  uploads: 0,
  readings: 0,
  merged: 0,
  duplicates: 0,
  quarantined: 0,
  skippedSignals: 0,
  frozenClocks: 0,
  frames: 0,
  unknownFrames: 0,
  badLines: 0,
  refused: 0,
  unknownKey: 0,
});

/** Wraps `counters` so that every count is also added to `tally`. */
export const withUploadTally = (counters: Counters, tally: UploadTally): Counters => ({
  ...counters,
  add(writerId, counts, seen) {
    for (const name of Object.keys(counts) as CounterName[]) tally[name] += counts[name] ?? 0;
    return counters.add(writerId, counts, seen);
  },
  addUnknownKey(accessKey, objectKey) {
    tally.unknownKey += 1;
    counters.addUnknownKey(accessKey, objectKey);
  },
});
