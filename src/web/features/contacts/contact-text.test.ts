import { expect, test } from 'vitest';
import { contactUsesText } from './contact-text.ts';

test('the text about where a contact is used lists the first five uses and counts the rest (53.14)', () => {
  const machine = (n: number) => ({ by: 'machine' as const, target: `K-${n}`, targetName: `Kraan ${n}` });
  const organization = { by: 'organization' as const, target: '', targetName: 'Bouw' };
  const sluis = { by: 'project' as const, target: '3', targetName: 'Sluis' };
  expect(contactUsesText([organization, sluis, machine(1)])).toBe(
    'de organisatie, project Sluis, machine Kraan 1',
  );
  expect(contactUsesText(Array.from({ length: 1_005 }, (_, n) => machine(n)))).toMatch(
    /machine Kraan 4 en nog 1\.000 andere$/,
  );
});
