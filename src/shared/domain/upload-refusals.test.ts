import { expect, test } from 'vitest';
import { refusalText, refusedHost, wrongHostRefusal } from './upload-refusals.ts';

test.each([
  [
    'RequestTimeTooSkewed: WS_SN1/a.json',
    /^WS_SN1\/a\.json: de klok van de logger .* zet zijn klok gelijk\.$/,
  ],
  ['SignatureDoesNotMatch', /^de handtekening klopt niet\. .* Host doorgeven\.$/],
  [
    'NoSuchBucket: x: y',
    /^x: y: de bucket bestaat niet\. Zet de nieuwste configuratie van het portaal op de logger\.$/,
  ],
  ['MalformedXML: a', /^a: de upload is geen geldige opdracht \(MalformedXML\)\.$/],
  ['', /^de upload is geen geldige opdracht/],
])('the Dutch text about the refusal %j, with what to do (55.3)', (refusal, words) => {
  expect(refusalText(refusal)).toMatch(words);
});

test('the text about an upload that a proxy changed names the Host header that arrived, whatever characters it has (55.34)', () => {
  const refusal = wrongHostRefusal('binnen:3000', 'WS_SN1/a: b.json');
  expect([refusal, refusedHost(refusal)]).toEqual(['WrongHost binnen:3000: WS_SN1/a: b.json', 'binnen:3000']);
  expect(refusalText(refusal)).toMatch(
    /^WS_SN1\/a: b\.json: de proxy .* Host binnen:3000 door .*doorgeven\.$/,
  );
  expect(refusedHost(wrongHostRefusal('[::1]:80'))).toBe('[::1]:80');
  expect(refusedHost(wrongHostRefusal('a b: c', 'k'))).toBe('a?b:?c');
  expect(refusedHost(wrongHostRefusal('x'.repeat(999), 'k'))).toBe('x'.repeat(100));
  expect(refusedHost('SignatureDoesNotMatch: WS_SN1/a.json')).toBeUndefined();
});
