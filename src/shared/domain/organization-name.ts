/** Names that would pass for the administrators' organization (DESIGN.md section 9; API-02). */
import { ADMIN_ORGANIZATION } from './access.ts';

/**
 * Letters that look like those of `admin` (what Unicode UTS 39 calls confusables), picked by hand for this one
 * word: Greek, Cyrillic, Armenian, Cherokee, Lisu, small capitals, digits and signs. In the form that NFKD and
 * lower case leave; those two take care of full width, mathematical and circled letters.
 */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: '4@αаɑᴀⱥꭺꓮ',
  d: 'ԁɗđɖժᴅꭰꓓ',
  m: 'μмɱᴍꮇꓟ',
  i: '1l|!ιіӏıɪɩɨꭵⵏꓲ',
  n: 'νηпոռɲƞɴꓠ',
};
const LETTER_OF = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, lookalikes]) => [...lookalikes].map((char) => [char, letter])),
);

/** What the eye makes of a name: base letters in lower case, without blanks, marks, signs and invisible ones. */
function skeleton(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  const letters = [...plain].map((char) => LETTER_OF.get(char) ?? char).join('');
  return letters.replace(/[^\p{L}\p{N}]/gu, '').replaceAll('rn', 'm');
}

/** True for `admin` in any spelling: case, blanks, signs, accents, look-alike letters. Such a name is refused. */
export const isReservedOrganizationName = (name: string): boolean => skeleton(name) === ADMIN_ORGANIZATION;
