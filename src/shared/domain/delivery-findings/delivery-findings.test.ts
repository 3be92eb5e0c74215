import { expect, test } from 'vitest';
import {
  type DeliveryFinding,
  dutchFindingsText,
  dutchFindingText,
  englishFindingText,
} from './delivery-findings.ts';

test.each<[string, DeliveryFinding]>([
  ['niet gedecodeerd', { kind: 'not-decoded' }],
  ['1.204 metingen', { kind: 'readings', count: 1204 }],
  [
    '1 meting van logger 0009999, met de sleutel van logger 0001234 (over te nemen bij Quarantaine)',
    {
      kind: 'quarantined',
      count: 1,
      reason: { kind: 'other-logger', recorder: '0009999', signer: '0001234' },
    },
  ],
  [
    '2 metingen van voor deze eigenaar (overgenomen)',
    { kind: 'quarantined', count: 2, reason: { kind: 'before-this-owner' }, isAdopted: true },
  ],
  [
    'geen van de 40 frames staat in het DBC-bestand van zijn CAN-bus (1 onbekende identifier): decodeer de logbestanden opnieuw om de huidige datadefinitie te gebruiken',
    { kind: 'identifiers-unknown', frames: 40, identifiers: 1, isPresent: false },
  ],
  [
    'geen van de 3 rijen heeft een bruikbare waarde: controleer de factor en offset van de koppeling en decodeer daarna de logbestanden opnieuw',
    { kind: 'no-usable-value', count: 3, what: 'rows', isPresent: true },
  ],
  [
    "CSV, regel 2: het scheidingsteken is tab, in de eerste regel is het ','.",
    { kind: 'csv-other-separator', line: 2, separator: '\t', expected: ',' },
  ],
  [
    '2 kolommen zijn weggelaten: kolom 3 heeft geen bruikbare naam',
    { kind: 'columns-left-out', count: 2, first: { column: 3 } },
  ],
  ['a text from before', { kind: 'text', text: 'a text from before' }],
])('the text of a stored finding is made of its figures: %s (46.4)', (text, finding) => {
  expect(dutchFindingText(JSON.parse(JSON.stringify(finding)))).toBe(text);
});

test('dutchFindingsText joins findings into one line of Dutch, and englishFindingText describes a finding in English (46.4)', () => {
  expect(dutchFindingsText([{ kind: 'readings', count: 0 }, { kind: 'empty-file' }])).toBe(
    '0 metingen; het bestand is leeg',
  );
  expect(
    englishFindingText({
      kind: 'bad-lines',
      count: 1,
      first: { line: 5, text: 'end', expected: { columns: 3, times: '1 of 2' } },
    }),
  ).toBe(
    '1 line was not read: line 5 is "end"; expected is a row of 3 columns, as the first line has, with a time such as 1 or 2',
  );
});
