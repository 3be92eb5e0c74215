import { expect, test } from 'vitest';
import { refusalWords } from './upload-refusals.ts';

test.each([
  [
    'RequestTimeTooSkewed: WS_SN1/a.json',
    /^WS_SN1\/a\.json: de klok van de logger .* zet zijn klok gelijk\.$/,
  ],
  ['SignatureDoesNotMatch', /^de handtekening klopt niet\. .* Host doorgeven\.$/],
  ['NoSuchBucket: x: y', /^x: y: de bucket bestaat niet\. Zet de nieuwste config\.xml op de logger\.$/],
  ['MalformedXML: a', /^a: de upload is geen geldige opdracht \(MalformedXML\)\.$/],
  ['', /^de upload is geen geldige opdracht/],
])('55.3 a refusal %j is told in Dutch with what to do', (refusal, words) => {
  expect(refusalWords(refusal)).toMatch(words);
});
