/** Returns a time in ms as a query parameter; an infinite begin or end of an interval becomes PostgreSQL's 'infinity'. */
export const instant = (at: number): Date | string =>
  Number.isFinite(at) ? new Date(at) : at < 0 ? '-infinity' : 'infinity';
