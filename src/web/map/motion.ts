/** The person asked the system for less movement: then the map jumps instead of flying. */
export const isCalm = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
