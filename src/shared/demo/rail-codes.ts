/** The codes that the demo's LMB loggers send. A customer's own may differ; these are ours. */

export const MACHINE_STATUS = {
  uit: 0,
  stationair: 1,
  rijden: 2,
  werken: 3,
  storing: 4,
} as const;

/** Signal `Spoor`: the track it stands on. */
export const TRACK = { opstelspoor: 0, linkerspoor: 1, rechterspoor: 2 } as const;

/** Signal `Spoorstand`: how its rail wheels stand. */
export const TRACK_POSITION = { geheven: 0, inSporen: 1, opSpoor: 2 } as const;
