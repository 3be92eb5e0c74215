/** Why the upload door refuses an upload, by the S3 code of its answer, and what a person does about it. */
const NEWEST = 'Zet de nieuwste config.xml op de logger.';
const AGAIN = 'De logger stuurt het opnieuw.';
const WORDS: ReadonlyMap<string, string> = new Map([
  [
    'RequestTimeTooSkewed',
    'de klok van de logger loopt meer dan 15 minuten verkeerd. Zorg dat hij GPS-ontvangst heeft, of zet zijn klok gelijk.',
  ],
  [
    'SignatureDoesNotMatch',
    `de handtekening klopt niet. ${NEWEST} Een proxy voor het portaal moet de kop Host doorgeven.`,
  ],
  ['AccessDenied', `de sleutel hoort niet bij de map waarin de logger schrijft. ${NEWEST}`],
  ['NoSuchBucket', `de bucket bestaat niet. ${NEWEST}`],
  ['InvalidRequest', `de upload kwam niet over https, of is onvolledig ondertekend. ${NEWEST}`],
  ['EntityTooLarge', 'het bestand is te groot.'],
  [
    'IncompleteBody',
    `het bestand kwam niet helemaal aan. ${AGAIN} Gebeurt het vaker, kijk dan naar het bereik.`,
  ],
  [
    'RequestTimeout',
    `het bestand kwam niet op tijd aan. ${AGAIN} Gebeurt het vaker, kijk dan naar het bereik.`,
  ],
  ['BadDigest', `het bestand raakte onderweg beschadigd. ${AGAIN}`],
  ['XAmzContentSHA256Mismatch', `het bestand raakte onderweg beschadigd. ${AGAIN}`],
  ['SlowDown', `het portaal had het te druk. ${AGAIN}`],
]);

/**
 * Returns the reason of a refusal in Dutch and what to do, with the object's name.
 * @param refusal 'code: key', or the code alone
 */
export function refusalWords(refusal: string): string {
  const [, code = '', key] = /^(\w+)(?:: (.*))?$/s.exec(refusal) ?? [];
  const words = WORDS.get(code) ?? `de upload is geen geldige opdracht (${code || refusal}).`;
  return key === undefined ? words : `${key}: ${words}`;
}
