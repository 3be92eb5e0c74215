import { LogError } from '#server/telemetry/decode/log-outcome.ts';

export const IDENTIFICATION_BYTES = 64;
const FINALIZED = 'MDF     ';
const UNFINALIZED = 'UnFinMF ';

/**
 * Returns whether the writer finished an MF4, according to the first 64 bytes of the file.
 * @throws LogError 'header' when the file is no MDF 4
 */
export function isFinalized(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const name = text.slice(0, FINALIZED.length);
  if (name !== FINALIZED && name !== UNFINALIZED) throw noMf4();
  if (!text.startsWith('4.', FINALIZED.length))
    throw new LogError('header', {
      nl: 'Dit is een oudere MDF: alleen versie 4 (MF4) wordt gelezen.',
      en: 'This is an older MDF: only version 4 (MF4) is read.',
    });
  return name === FINALIZED;
}

export const noMf4 = (): LogError =>
  new LogError('header', {
    nl: 'Dit is geen MF4: het bestand begint niet met de kop van een MDF.',
    en: 'This is no MF4: the file does not begin with the header of an MDF.',
  });
