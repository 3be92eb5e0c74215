import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Font, parse } from 'opentype.js';

/** Size and letter spacing of a text on the map. */
export type TextStyle = {
  /** Height of the capitals in pixels. */
  readonly capPx: number;
  /** Extra space between the letters, as a multiple of the height of a capital; 0 is normal. */
  readonly spacing?: number;
};

const FILE = '@fontsource/hind/files/hind-latin-500-normal.woff';

let font: Font | undefined;

/** Returns the font. It is read when the first text is drawn, which takes about 20 ms. */
function hind(): { font: Font; capsPerEm: number } {
  font ??= parse(new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(FILE)))).buffer);
  return { font, capsPerEm: font.unitsPerEm / font.tables.os2!.sCapHeight };
}

/**
 * Returns a text as SVG path data to be filled; its baseline starts at (x, y). An SVG text element would not do: librsvg draws it with
 * the fonts that are installed on the computer, and a bare server has none.
 * @throws Error at a letter that the font does not have
 */
export function textToSvgPath(text: string, x: number, y: number, { capPx, spacing = 0 }: TextStyle): string {
  const { font, capsPerEm } = hind();
  const missing = [...text].find((letter) => font.charToGlyphIndex(letter) === 0);
  if (missing !== undefined) throw new Error(`The font Hind has no letter ${missing}.`);
  return font.getPath(text, x, y, capPx * capsPerEm, { letterSpacing: spacing / capsPerEm }).toPathData(1);
}

/** Returns the width of the text in pixels, without space after the last letter. */
export function textWidthPx(text: string, { capPx, spacing = 0 }: TextStyle): number {
  const { font, capsPerEm } = hind();
  return font.getAdvanceWidth(text, capPx * capsPerEm) + Math.max(0, text.length - 1) * spacing * capPx;
}
