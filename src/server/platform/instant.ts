/** Returns a time in ms as a query parameter; an infinite start or end becomes PostgreSQL's 'infinity'. */
export const instantParameter = (at: number): Date | string =>
  Number.isFinite(at) ? new Date(at) : at < 0 ? '-infinity' : 'infinity';
