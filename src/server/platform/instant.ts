/** Returns a time (ms) as PostgreSQL takes it: also a beginning or an end that an interval does not have. */
export const instant = (at: number): Date | string =>
  Number.isFinite(at) ? new Date(at) : at < 0 ? '-infinity' : 'infinity';
