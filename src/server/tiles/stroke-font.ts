/**
 * A single-stroke alphabet of our own, as SVG paths: the tiles must not depend on fonts, which a bare server lacks
 * (librsvg then draws nothing). Units: baseline at y = 0, small letters 5 high, capitals 7; the number is the width.
 */
const GLYPHS: Readonly<Record<string, readonly [width: number, path: string]>> = {
  A: [5, 'M0 0L2.5-7L5 0M.9-2.4H4.1'],
  B: [4.1, 'M0 0V-7H2.3a1.7 1.7 0 0 1 0 3.4H0M2.3-3.6a1.8 1.8 0 0 1 0 3.6H0'],
  C: [4.9, 'M4.9-5.6A2.8 3.5 0 1 0 4.9-1.4'],
  D: [4.6, 'M0 0V-7H1.6a3 3.5 0 0 1 0 7Z'],
  E: [3.8, 'M3.8 0H0V-7H3.8M0-3.6H3.3'],
  F: [3.6, 'M0 0V-7H3.6M0-3.6H3.1'],
  G: [5.4, 'M4.9-5.6A2.8 3.5 0 1 0 5.4-3.1H3.1'],
  H: [4.6, 'M0 0V-7M4.6 0V-7M0-3.6H4.6'],
  I: [0, 'M0 0V-7'],
  J: [2.8, 'M2.8-7V-1.8A1.5 1.8 0 0 1 0-1.2'],
  K: [4.4, 'M0 0V-7M4.2-7L0-2.6M1.5-4.2L4.4 0'],
  L: [3.6, 'M0-7V0H3.6'],
  M: [6, 'M0 0V-7L3-2L6-7V0'],
  N: [4.6, 'M0 0V-7L4.6 0V-7'],
  O: [5.6, 'M2.8-7A2.8 3.5 0 1 1 2.79-7Z'],
  P: [4.1, 'M0 0V-7H2.2a1.9 1.9 0 0 1 0 3.8H0'],
  Q: [5.6, 'M2.8-7A2.8 3.5 0 1 1 2.79-7ZM3.5-1.8L5.6.4'],
  R: [4.3, 'M0 0V-7H2.2a1.9 1.9 0 0 1 0 3.8H0M2.2-3.2L4.3 0'],
  S: [
    4.2,
    'M4-5.8C3.6-6.7 2.9-7 2.1-7C1-7 .2-6.3.2-5.3C.2-3.2 4.2-4 4.2-1.8C4.2-.7 3.3 0 2.1 0C1 0 .3-.5 0-1.4',
  ],
  T: [4.6, 'M0-7H4.6M2.3-7V0'],
  U: [4.6, 'M0-7V-2.3a2.3 2.3 0 0 0 4.6 0V-7'],
  V: [5, 'M0-7L2.5 0L5-7'],
  W: [7.2, 'M0-7L1.8 0L3.6-6L5.4 0L7.2-7'],
  X: [4.6, 'M0-7L4.6 0M4.6-7L0 0'],
  Y: [4.8, 'M0-7L2.4-3.4L4.8-7M2.4-3.4V0'],
  Z: [4.4, 'M0-7H4.4L0 0H4.4'],
  a: [4.2, 'M4.2-5V0M4.2-2.5a2.1 2.5 0 1 1-4.2 0a2.1 2.5 0 1 1 4.2 0'],
  b: [4.2, 'M0-7.3V0M0-2.5a2.1 2.5 0 1 1 4.2 0a2.1 2.5 0 1 1-4.2 0'],
  c: [3.6, 'M3.6-4.1A2 2.5 0 1 0 3.6-.9'],
  d: [4.2, 'M4.2-7.3V0M4.2-2.5a2.1 2.5 0 1 1-4.2 0a2.1 2.5 0 1 1 4.2 0'],
  e: [4.1, 'M.1-2.6H4.1A2 2.45 0 1 0 3.5-.9'],
  f: [2.3, 'M2.6-7.2C1.4-7.5.8-6.9.8-5.8V0M-.2-4.9H2.2'],
  g: [4.2, 'M4.2-5V.1C4.2 2.3 1.3 2.6.3 1.4M4.2-2.5a2.1 2.5 0 1 1-4.2 0a2.1 2.5 0 1 1 4.2 0'],
  h: [4, 'M0-7.3V0M0-3A2 2 0 0 1 4-3V0'],
  i: [0, 'M0-5V0M0-6.9V-6.8'],
  j: [0.8, 'M.8-5V.8C.8 1.9.1 2.2-.6 1.9M.8-6.9V-6.8'],
  k: [3.5, 'M0-7.3V0M3.3-5L0-1.9M1.3-3.1L3.5 0'],
  l: [0, 'M0-7.3V0'],
  m: [6.8, 'M0-5V0M0-3.3A1.7 1.7 0 0 1 3.4-3.3V0M3.4-3.3A1.7 1.7 0 0 1 6.8-3.3V0'],
  n: [4, 'M0-5V0M0-3A2 2 0 0 1 4-3V0'],
  o: [4.4, 'M0-2.5a2.2 2.5 0 1 1 4.4 0a2.2 2.5 0 1 1-4.4 0'],
  p: [4.2, 'M0-5V2.2M0-2.5a2.1 2.5 0 1 1 4.2 0a2.1 2.5 0 1 1-4.2 0'],
  q: [4.2, 'M4.2-5V2.2M4.2-2.5a2.1 2.5 0 1 1-4.2 0a2.1 2.5 0 1 1 4.2 0'],
  r: [2.2, 'M0-5V0M0-3C.3-4.5 1.2-5.1 2.2-4.8'],
  s: [
    3.4,
    'M3.2-4.2C2.9-4.8 2.3-5 1.7-5C.9-5 .3-4.5.3-3.8C.3-2.2 3.4-2.9 3.4-1.3C3.4-.5 2.6 0 1.7 0C.9 0 .2-.3 0-1',
  ],
  t: [2.4, 'M.8-6.6V-1.3C.8-.2 1.5.2 2.5-.1M-.3-4.9H2.3'],
  u: [4, 'M0-5V-2a2 2 0 0 0 4 0M4-5V0'],
  v: [3.8, 'M0-5L1.9 0L3.8-5'],
  w: [5.8, 'M0-5L1.45 0L2.9-4.6L4.35 0L5.8-5'],
  x: [3.6, 'M0-5L3.6 0M3.6-5L0 0'],
  y: [3.9, 'M0-5L2-.3M3.9-5L1.3 2.1'],
  z: [3.4, 'M0-5H3.4L0 0H3.4'],
  0: [4.4, 'M2.2-7A2.2 3.5 0 1 1 2.19-7Z'],
  1: [1.7, 'M0-5.7L1.7-7V0'],
  2: [4.2, 'M.1-5.2A2.05 1.9 0 0 1 4.1-5C4.1-3.4.9-1.8 0 0H4.2'],
  3: [4.3, 'M.3-6.3C2-7.6 4-6.8 4-5.3C4-4.2 3.1-3.7 1.7-3.7C3.2-3.7 4.3-3 4.3-1.9C4.3.2 1.6.6 0-.7'],
  4: [4.6, 'M3.4 0V-7L0-2H4.6'],
  5: [4.3, 'M3.9-7H.7L.4-3.9C2-5 4.3-4.2 4.3-2.2C4.3.2 1.5.6 0-.6'],
  6: [4.3, 'M3.5-6.8C1.2-7.4 0-5.2 0-2.2M0-2.2a2.15 2.2 0 1 1 4.3 0a2.15 2.2 0 1 1-4.3 0'],
  7: [4.3, 'M0-7H4.3L1.5 0'],
  8: [4.3, 'M2.15-3.8A1.8 1.6 0 1 1 2.16-3.8M2.15-3.8A2.15 1.9 0 1 0 2.16-3.8'],
  9: [4.3, 'M.8-.2C3.1.4 4.3-1.8 4.3-4.8M4.3-4.8a2.15 2.2 0 1 1-4.3 0a2.15 2.2 0 1 1 4.3 0'],
  '-': [2.2, 'M0-2.5H2.2'],
  "'": [0, 'M0-7.3V-5.7'],
  '.': [0, 'M0-.1V0'],
  ',': [0.4, 'M.4-.1L0 1'],
  ' ': [1.6, ''],
};
const SMALL_DIAERESIS = 'M1.2-6.9V-6.8M3-6.9V-6.8';
const CAPITAL_DIAERESIS = 'M1.2-9V-8.9M3.2-9V-8.9';
const GAP = 1.9;

/** What each character is drawn as: its glyph, with a diaeresis over it where it has one. */
function glyphOf(character: string): readonly [width: number, path: string] {
  const [letter = '', accent] = character.normalize('NFD');
  const [width, path] = GLYPHS[letter] ?? GLYPHS[' ']!;
  if (accent !== '\u0308') return [width, path];
  if (letter === 'i') return [1.8, 'M.9-5V0M0-6.9V-6.8M1.8-6.9V-6.8'];
  return [width, path + (letter === letter.toLowerCase() ? SMALL_DIAERESIS : CAPITAL_DIAERESIS)];
}

/** Width of a text in pixels when its capitals are `capPx` pixels high. `spacing` widens the gaps (1 = normal). */
export function textWidthPx(text: string, capPx: number, spacing = 1): number {
  let width = 0;
  for (const character of text.normalize('NFC')) width += glyphOf(character)[0] + GAP * spacing;
  return Math.max(0, width - GAP * spacing) * (capPx / 7);
}

/** The glyphs of a text as SVG, its baseline starting at (x, y) in pixels; drawn with the stroke of its group. */
export function textSvg(text: string, x: number, y: number, capPx: number, spacing = 1): string {
  const scale = capPx / 7;
  let svg = '';
  let at = 0;
  for (const character of text.normalize('NFC')) {
    const [width, path] = glyphOf(character);
    if (path !== '') svg += `<path transform="translate(${at.toFixed(2)})" d="${path}"/>`;
    at += width + GAP * spacing;
  }
  return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})">${svg}</g>`;
}

/** Whether every character of a text can be drawn. */
export function canWrite(text: string): boolean {
  return [...text.normalize('NFC')].every((character) => {
    const [letter = '', accent] = character.normalize('NFD');
    return letter in GLYPHS && (accent === undefined || accent === '\u0308');
  });
}
