/**
 * Letters as strokes on a grid of 4 by 6, y downward. Drawn, not typed: sharp needs the fonts of the machine it runs
 * on for text, and complains on the terminal where there are none.
 */
const GLYPHS: Readonly<Record<string, string>> = {
  A: 'M0 6V2L2 0L4 2V6M0 4H4',
  B: 'M0 0V6H3L4 5V4L3 3H0M0 0H3L4 1V2L3 3',
  C: 'M4 1L3 0H1L0 1V5L1 6H3L4 5',
  D: 'M0 0V6H2.5L4 4.5V1.5L2.5 0Z',
  E: 'M4 0H0V6H4M0 3H3',
  H: 'M0 0V6M4 0V6M0 3H4',
  I: 'M2 0V6',
  K: 'M0 0V6M4 0L0 3.5M1.5 2.4L4 6',
  L: 'M0 0V6H4',
  M: 'M0 6V0L2 3L4 0V6',
  N: 'M0 6V0L4 6V0',
  O: 'M1 0H3L4 1V5L3 6H1L0 5V1Z',
  P: 'M0 6V0H3L4 1V2L3 3H0',
  R: 'M0 6V0H3L4 1V2L3 3H0M2 3L4 6',
  S: 'M4 1L3 0H1L0 1V2L1 3H3L4 4V5L3 6H1L0 5',
  T: 'M0 0H4M2 0V6',
  U: 'M0 0V5L1 6H3L4 5V0',
  V: 'M0 0L2 6L4 0',
  W: 'M0 0L1 6L2 2L3 6L4 0',
  X: 'M0 0L4 6M4 0L0 6',
  0: 'M1 0H3L4 1V5L3 6H1L0 5V1Z',
  1: 'M0.8 1.2L2 0V6M0.8 6H3.2',
  2: 'M0 1L1 0H3L4 1V2L0 6H4',
  5: 'M4 0H0V3H3L4 4V5L3 6H1L0 5',
  6: 'M4 1L3 0H1L0 1V5L1 6H3L4 5V4L3 3H0',
  7: 'M0 0H4L1.5 6',
  9: 'M0 5L1 6H3L4 5V1L3 0H1L0 1V2L1 3H4',
  '-': 'M0.8 3H3.2',
};
const ADVANCE = 5.7;
const HEIGHT = 6;

export type Lettering = {
  /** The middle of the word, in the drawing's units. */
  readonly x: number;
  /** Top of the letters. */
  readonly y: number;
  readonly height: number;
  readonly colour: string;
};

/**
 * A word in capitals as one SVG path, centred on `x`.
 * @throws Error at a letter that was not drawn yet
 */
export function lettering(word: string, { x, y, height, colour }: Lettering): string {
  const scale = height / HEIGHT;
  const width = (word.length * ADVANCE - (ADVANCE - 4)) * scale;
  const letters = [...word.toUpperCase()].map((letter, n) => {
    const path = GLYPHS[letter];
    if (path === undefined) throw new Error(`The demo's drawings have no letter ${letter}.`);
    return `<path transform="translate(${n * ADVANCE} 0)" d="${path}"/>`;
  });
  return `<g transform="translate(${x - width / 2} ${y}) scale(${scale})" fill="none" stroke="${colour}" stroke-width="0.95" stroke-linecap="round" stroke-linejoin="round">${letters.join('')}</g>`;
}
