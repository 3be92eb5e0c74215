import { expect, test } from 'vitest';
import { checkManual } from '#server/machine-files/manual.ts';
import { demoMachines } from '#shared/demo/fleet.ts';
import { machineManual, simplePdf } from './machine-manual.ts';

const machines = demoMachines.map((machine) => [machine.alias, machine] as const);

test.each(machines)('the upload call accepts the manual of %s (MDET-08, MEDIT-09)', async (_, machine) => {
  const bytes = machineManual(machine);
  await expect(checkManual(bytes)).resolves.toBeUndefined();
  const text = bytes.toString('latin1');
  for (const word of [machine.serialNumber, machine.model.model, 'Veiligheid', 'Laden', 'Voorbeeld'])
    expect(text).toContain(word);
  expect(text).not.toMatch(/undefined|NaN/);
  // Longer lines would leave the page: Helvetica 11 has about 5.2 points a letter, on 595 - 2 x 64 points.
  for (const [, line = ''] of text.matchAll(/11 Tf \d+ \d+ Td \((.*)\) Tj/g))
    expect(line.length).toBeLessThan(94);
});

test('the PDF of a manual has a correct cross-reference table and stream length (MDET-08)', () => {
  const text = simplePdf('Één (1) \\ ☃', [{ text: 'één (1) \\ ☃', size: 11, gap: 0 }]).toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  expect(text.slice(start, start + 5)).toBe('xref\n');
  const entries = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) =>
    Number(offset),
  );
  expect(entries).toHaveLength(7);
  entries.forEach((offset, n) => {
    expect(text.slice(offset).startsWith(`${n + 1} 0 obj\n`)).toBe(true);
  });
  const [, length, content = ''] = /Length (\d+) >>\nstream\n(.*)\nendstream/s.exec(text) ?? [];
  expect(content).toHaveLength(Number(length));
  expect(content).toContain('(één \\(1\\) \\\\ ?) Tj');
});
