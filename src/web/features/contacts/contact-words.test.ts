import { expect, test } from 'vitest';
import { usesInWords } from './contact-words.ts';

test('the uses of a contact are named, of many the first five (53.14)', () => {
  const machine = (n: number) => ({ by: 'machine' as const, target: `K-${n}`, targetName: `Kraan ${n}` });
  const organization = { by: 'organization' as const, target: '', targetName: 'Bouw' };
  const sluis = { by: 'project' as const, target: '3', targetName: 'Sluis' };
  expect(usesInWords([organization, sluis, machine(1)])).toBe(
    'de organisatie, project Sluis, machine Kraan 1',
  );
  expect(usesInWords(Array.from({ length: 1_005 }, (_, n) => machine(n)))).toMatch(
    /machine Kraan 4 en nog 1\.000 andere$/,
  );
});
