/** The relation between a file's ticks and UTC. */
export type RxdClock = {
  /** Unix time in milliseconds at tick 0. 0 if it is unknown; times then count from power-on. */
  readonly zeroMs: number;
  /** Source of `zeroMs`: DATETIME records, the start time in the file's name, or none. */
  readonly source: 'gnss' | 'name' | 'none';
  /** GNSS time minus the start time in the file's name (the logger's own clock), in milliseconds; absent when either is missing. */
  readonly nameBehindMs?: number;
};
