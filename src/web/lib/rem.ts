/** Returns the present size of 1rem in pixels, which depends on the user's text size. */
export const remPx = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
