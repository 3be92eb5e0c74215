/**
 * The reasons for which the upload endpoint refuses an upload, by the S3 code of the response, and what to do
 * about each. Uploads with an unknown key have no logger: web/features/machine-list/unknown-loggers.tsx lists
 * them.
 */
const NEWEST = 'Zet de nieuwste configuratie van het portaal op de logger.';
const AGAIN = 'De logger stuurt het opnieuw.';
/** A reason that is no S3 code: a proxy replaced the Host that the logger signed. */
export const WRONG_HOST = 'WrongHost';
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

/** Returns the refusal of an upload whose Host a proxy replaced. @param host as received @param key key of the object */
export const wrongHostRefusal = (host: string, key?: string): string =>
  `${WRONG_HOST} ${host.replace(/[^\w.:[\]-]/g, '?').slice(0, MAX_HOST_CHARACTERS)}${key === undefined ? '' : `: ${key}`}`;
const MAX_HOST_CHARACTERS = 100;

/** Returns the received Host of an upload that was refused for its Host; undefined for any other refusal. */
export function refusedHost(refusal: string): string | undefined {
  const { code, detail } = partsOf(refusal);
  return code === WRONG_HOST ? detail : undefined;
}

function partsOf(refusal: string): { code: string; detail: string | undefined; key: string | undefined } {
  const [, code = '', detail, key] = /^(\w+)(?: (\S+?))?(?:: (.*))?$/s.exec(refusal) ?? [];
  return { code, detail, key };
}

/**
 * Returns the reason of a refusal and what to do about it, in Dutch, after the key of the uploaded object.
 * @param refusal 'code: key' or the code alone; for a replaced Host also the Host after the code
 */
export function refusalText(refusal: string): string {
  const { code, detail, key } = partsOf(refusal);
  const words =
    code === WRONG_HOST
      ? `de proxy voor het portaal gaf Host ${detail} door in plaats van die van de logger. Laat hem de kop Host ongewijzigd doorgeven.`
      : (WORDS.get(code) ?? `de upload is geen geldige opdracht (${code || refusal}).`);
  return key === undefined ? words : `${key}: ${words}`;
}
