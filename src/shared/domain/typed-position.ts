/** Positions as people type or paste them: '52.01, 4.71', '52,01 4,71', 'N 52° 0' 36" E 4° 42' 36"'. */
import type { Position } from './position.ts';

/** Letters of the compass directions, Dutch and English. */
const QUARTERS: Readonly<Record<string, { readonly axis: 'lat' | 'lon'; readonly sign: 1 | -1 }>> = {
  n: { axis: 'lat', sign: 1 },
  nb: { axis: 'lat', sign: 1 },
  s: { axis: 'lat', sign: -1 },
  z: { axis: 'lat', sign: -1 },
  zb: { axis: 'lat', sign: -1 },
  e: { axis: 'lon', sign: 1 },
  o: { axis: 'lon', sign: 1 },
  ol: { axis: 'lon', sign: 1 },
  w: { axis: 'lon', sign: -1 },
  wl: { axis: 'lon', sign: -1 },
};
type Quarter = (typeof QUARTERS)[string];

const LONGEST = 100;

/** Matches a number with a decimal point or comma, one or two letters, a sign, or a separator. */
const TOKENS = /\d+(?:[.,]\d+)?|[a-z]{1,2}|[-+°'"]|[,;/]|\s+/gi;

/** Degrees, minutes and seconds of one axis. */
type Angle = { parts: number[]; sign: 1 | -1; quarter: Quarter | undefined };

const DIVISORS = { '°': 1, "'": 60, '"': 3600 } as const;

/**
 * Parses a position, latitude first unless letters give another order. Returns 'off' when a coordinate is out
 * of range, undefined when the text is no pair of coordinates. A comma between digits is a decimal comma:
 * '52,01,4,71' is 52.01 and 4.71.
 */
export function parseTypedPosition(text: string): Position | 'off' | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = text
    .trim()
    .replace(/^geo:/i, '')
    .replace(/[−–]/g, '-')
    .replace(/[′’‘]/g, "'")
    .replace(/[″”“]/g, '"')
    .replace(/''/g, '"')
    .replace(/º/g, '°');
  const tokens = plain.match(TOKENS) ?? [];
  // A + or − that does not directly precede a digit is a dash, not a sign.
  if (tokens.join('') !== plain || /[-+](?!\d)/.test(plain)) return undefined;
  const angles = anglesOf(tokens.filter((token) => !/^[\s,;/]/.test(token)));
  const [first, second] = angles ?? [];
  if (!first || !second || angles?.length !== 2) return undefined;
  if (Boolean(first.quarter) !== Boolean(second.quarter)) return undefined;
  if (first.quarter && first.quarter.axis === second.quarter?.axis) return undefined;
  const isTurned = first.quarter?.axis === 'lon';
  const [lat, lon] = (isTurned ? [second, first] : [first, second]).map(degreesOf) as [number, number];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : 'off';
}

const degreesOf = ({ parts, sign, quarter }: Angle): number =>
  (quarter?.sign ?? 1) * sign * parts.reduce((sum, part) => sum + part, 0);

/** Returns the angles; undefined: a token is in a wrong place. */
function anglesOf(tokens: readonly string[]): readonly Angle[] | undefined {
  const angles: Angle[] = [];
  let sign: 1 | -1 = 1;
  /** A letter of a compass direction that stands before its number. */
  let ahead: Quarter | undefined;
  for (const [at, token] of tokens.entries()) {
    const current = angles.at(-1);
    if (/^\d/.test(token)) {
      const value = Number(token.replace(',', '.'));
      const unit = tokens[at + 1] ?? '';
      const divisor = unit === "'" || unit === '"' ? DIVISORS[unit] : 1;
      if (divisor === 1) {
        angles.push({ parts: [value], sign, quarter: ahead });
        sign = 1;
        ahead = undefined;
      } else if (current && value < 60) current.parts.push(value / divisor);
      else return undefined;
    } else if (token === '-' || token === '+') {
      sign = token === '-' ? -1 : 1;
    } else if (!(token in DIVISORS)) {
      const quarter = QUARTERS[token.toLowerCase()];
      if (!quarter || ahead) return undefined;
      if (current && !current.quarter) current.quarter = quarter;
      else ahead = quarter;
    }
  }
  return ahead ? undefined : angles;
}
