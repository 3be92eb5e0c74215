/** The colours of a built-in map. */
export type Palette = {
  readonly water: string;
  readonly land: string;
  readonly coast: string;
  readonly border: string;
  readonly grid: string;
  readonly ink: string;
  readonly faintInk: string;
};

/**
 * Colours of the built-in map where it replaces street tiles: calm, so that orange markers stand out. The letters (`ink`) have a contrast
 * of 6 to 1 with `land`.
 */
export const LIGHT: Palette = {
  water: '#cfe3ee',
  land: '#f3f1ec',
  coast: '#a3c1d1',
  border: '#b3a698',
  grid: '#dfdbd2',
  ink: '#57534c',
  faintInk: '#77716a',
};

/** Colours of the built-in map where it replaces satellite images. */
export const DARK: Palette = {
  water: '#16242e',
  land: '#2d3731',
  coast: '#41525a',
  border: '#78807a',
  grid: '#39443d',
  ink: '#dde2de',
  faintInk: '#a9b2ac',
};
