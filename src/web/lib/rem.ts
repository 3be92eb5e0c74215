/** px in 1rem, now: people choose their own text size. */
export const remPx = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
