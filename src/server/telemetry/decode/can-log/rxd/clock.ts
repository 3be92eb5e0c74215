/** The relation between a file's ticks and UTC. */
export type RxdClock = {
  /** Milliseconds since 1970, UTC, when the tick counter was 0; 0: nothing tells it, so times count from power-on. */
  readonly zeroMs: number;
  /** What tells it: DATETIME records, the start in the file's name, or nothing. */
  readonly source: 'gnss' | 'name' | 'none';
  /** By how much the file's name is before the time by GNSS (negative: after it), milliseconds; absent: one of the two is missing. */
  readonly nameBehindMs?: number;
};
