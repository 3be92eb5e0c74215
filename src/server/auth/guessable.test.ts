import { expect, test } from 'vitest';
import { newPasswordRefusal } from './guessable.ts';

const JAN = {
  email: 'Jan.Klaver@grondverzet-noord.nl',
  names: ['Jan Klaver', 'grondverzet', 'Grondverzet Noord BV', null],
};
const refusal = (password: string) => newPasswordRefusal(password, JAN);

test.each(['password', '12345678', 'welkom01', 'iloveyou', 'qwertyuiop', 'P@ssw0rd', 'wélkom01'])(
  'a common password is refused: %s (13.3b)',
  async (password) => {
    expect(await refusal(password)).toMatch(/^Dit is een veelgebruikt wachtwoord/);
  },
);

test.each([
  'PASSWORD',
  'Password1!',
  'password2026',
  '!!Welkom01!!',
  '12345678!',
  'Welkom2026!',
  'P@$$w0rd2026!',
  'passwordpassword',
])(
  'a common password in other case, with a trivial ending, or doubled is refused: %s (13.3b)',
  async (password) => {
    expect(await refusal(password)).toMatch(/^Dit is een veelgebruikt wachtwoord/);
  },
);

test.each([
  ['werkstroom', 'werkstroom'],
  ['WerkStroom2026!', 'werkstroom'],
  ['W3rkstr00m01', 'werkstroom'],
  ['mijnwerkstroom', undefined],
  ['werkstroom-bv', 'werkstroom'],
  ['!!portaal!!', 'portaal'],
])("a password of the product's words only is refused: %s (13.3c)", async (password, word) => {
  expect(await refusal(password)).toBe(
    word &&
      `Dit wachtwoord is bijna alleen ‘${word}’. Dat is makkelijk te raden. Kies een ander, bijvoorbeeld een korte zin.`,
  );
});

test.each([
  ['jan.klaver@grondverzet-noord.nl', 'jan.klaver@grondverzet-noord.nl'],
  ['JAN.KLAVER@GRONDVERZET-NOORD.NL!', 'jan.klaver@grondverzet-noord.nl'],
  ['jan.klaver1', 'jan.klaver'],
  ['klaver-1985', 'klaver'],
  ['KlaverJan!', 'klaver'],
  ['Grondverzet Noord BV', 'grondverzet noord bv'],
  ['noord2026', 'noord'],
  ['J4nKl4ver', 'klaver'],
])(
  'a password that consists only of names of the person or the organization is refused: %s (13.3c)',
  async (password, word) => {
    expect(await refusal(password)).toContain(`bijna alleen ‘${word}’`);
  },
);

test.each(['aaaaaaaa', '12121212', 'abcabcabc', 'Xy7$Xy7$Xy7$'])(
  'a password that repeats a short text is refused: %s (13.3b)',
  async (password) => {
    expect(await refusal(password)).toBe(
      'Dit wachtwoord herhaalt zich. Kies een ander, bijvoorbeeld een korte zin.',
    );
  },
);

test.each([
  'een korte zin',
  'jan rijdt elke dag naar noord', // known words inside a sentence
  'mijn werkstroom is blauw',
  'paard batterij nietje correct 4',
  'x7$kQ92mPz4!',
  '      🔋 aan de lader',
  'ελληνικά είναι εντάξει',
  'correct horse battery staple',
])('a password may contain any characters: %s (13.3a)', async (password) => {
  expect(await refusal(password)).toBeUndefined();
});

test('a password of a wrong length is refused with its length as the reason, even if there are other reasons (13.3a)', async () => {
  expect(await refusal('short')).toBe('Een wachtwoord heeft minstens 8 tekens.');
  expect(await refusal('x y'.repeat(43))).toBe('Een wachtwoord heeft hoogstens 128 tekens.');
});

test('an e-mail address without letters does not cause the refusal of a password (13.3c)', async () => {
  expect(await newPasswordRefusal('83920174', { email: '1@2.nl' })).toBeUndefined();
});
