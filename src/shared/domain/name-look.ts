/** Recognizes names that look the same to a reader although their characters differ. */

/**
 * Letters that look like a Latin letter (confusables of Unicode UTS 39), selected by hand: Greek, Cyrillic, Armenian, Cherokee, Lisu,
 * small capitals, digits, and Latin letters with a stroke. Keys are in NFKD and lower case, which already remove accents and full-width,
 * mathematical and circled forms.
 */
const IN_LOWER_CASE: Readonly<Record<string, string>> = {
  a: 'αаɑᴀⱥꭺꓮ',
  ae: 'æ',
  b: 'ьƅƀꮟꓐ',
  c: 'сϲᴄƈȼꮯꓚ',
  d: 'ԁɗđɖժᴅꭰꓓ',
  e: 'еҽєεɛᴇɇꭼꓰ',
  f: 'ƒſꓝ',
  g: 'ɡցǥɢ',
  h: 'һհħꮒ',
  i: '1l|ιіӏıɪɩɨꭵⵏꓲł',
  j: 'јϳɉᴊꓙ',
  k: 'κкᴋƙꮶꓗ',
  m: 'μмɱᴍꮇꓟ',
  n: 'νηпոռɲƞɴꓠ',
  o: '0οоօøɵᴏഠꓳ',
  oe: 'œ',
  p: 'ρрᴘꮲꓑ',
  q: 'ԛգ',
  r: 'гᴦꭇʀꓣ',
  s: 'ѕꜱƽꮥꓢ',
  ss: 'ß',
  t: 'τтᴛŧꭲꓔ',
  u: 'υսʋᴜꓴ',
  v: 'ѵᴠꮩꓦ',
  w: 'ԝѡωɯᴡꮃꓪ',
  x: 'хχ×ꓫ',
  y: 'уүγʏꓬ',
  z: 'ᴢʐꮓꓜ',
};

/** Capitals that look like a Latin capital while their lower case does not (Η and H, not η and h). */
const IN_CAPITALS: Readonly<Record<string, string>> = {
  A: 'ΑАᎪꓮ',
  B: 'ΒВᏴꓐ',
  C: 'СϹᏟꓚ',
  D: 'ᎠꓓÐĐ',
  E: 'ΕЕᎬꓰ',
  G: 'ԌᏀꓖ',
  H: 'ΗНᎻꓧ',
  I: '1|ΙІӀꓲ',
  J: 'ЈᎫꓙ',
  K: 'ΚКᏦꓗ',
  L: 'ᏞꓡŁ',
  M: 'ΜМᎷꓟ',
  N: 'ΝꓠՈ',
  O: '0ΟОՕꓳØ',
  P: 'ΡРᏢꓑ',
  S: 'ЅՏᏚꓢ',
  T: 'ΤТᎢꓔ',
  U: 'Սꓴ',
  V: 'ѴᏙꓦ',
  W: 'ԜᎳꓪ',
  X: 'ΧХꓫ',
  Y: 'ΥҮУꓬ',
  Z: 'ΖᏃꓜ',
};

type Letters = ReadonlyMap<string, string>;
const lettersOf = (table: Readonly<Record<string, string>>): Letters =>
  new Map(
    Object.entries(table).flatMap(([letter, lookalikes]) => [...lookalikes].map((char) => [char, letter])),
  );
const LOWER = lettersOf(IN_LOWER_CASE);
const CAPITALS = lettersOf(IN_CAPITALS);

/**
 * Returns the Latin letters and digits that a name looks like: if it is read as typed, in lower case, or in capitals. Blanks, accents,
 * punctuation and invisible characters are removed.
 */
function looksOf(name: string): readonly string[] {
  const plain = name.normalize('NFKD');
  const seen = (text: string, letterOf: (char: string) => string | undefined): string =>
    [...text]
      .map((char) => letterOf(char) ?? char)
      .join('')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase()
      .replaceAll('rn', 'm');
  return [
    seen(plain, (char) => LOWER.get(char) ?? CAPITALS.get(char)),
    seen(plain.toLowerCase(), (char) => LOWER.get(char)),
    seen(plain.toUpperCase(), (char) => CAPITALS.get(char)),
  ];
}

/** Returns whether two names look the same without case, spaces, accents and punctuation; names of only punctuation, if they are equal. */
export function namesLookAlike(name: string, other: string): boolean {
  const others = looksOf(other);
  const signs = (text: string): string => text.normalize('NFKD').replace(/\s/gu, '');
  return looksOf(name).some((look, n) => look === others[n] && (look !== '' || signs(name) === signs(other)));
}
