import { formatOf } from './log-file-name.ts';
import { LogError } from './log-outcome.ts';

/**
 * Returns the error for a log that its logger encrypted, or compressed in its own format, according to the file's name;
 * undefined for any other name.
 */
export const encryptedLog = (name: string): LogError | undefined =>
  formatOf(name) === 'encrypted' ? (/\.rxe/i.test(name) ? encryptedRxe() : packedMf4()) : undefined;

const encryptedRxe = (): LogError =>
  new LogError('encrypted', {
    nl: 'Dit .rxe-bestand heeft de logger versleuteld (RSA) en kan niet gelezen worden: zet EncryptDataLog uit in de configuratie van de logger.',
    en: "The logger encrypted this .rxe file (RSA), so it cannot be read: switch EncryptDataLog off in the logger's configuration.",
  });

const packedMf4 = (): LogError =>
  new LogError('encrypted', {
    nl: 'Dit bestand heeft de CANedge gecomprimeerd of versleuteld (.mfc, .mfe, .mfm) en kan niet gelezen worden: zet in zijn configuratie bij Log de compressie en de versleuteling uit.',
    en: 'The CANedge compressed or encrypted this file (.mfc, .mfe, .mfm), so it cannot be read: switch compression and encryption off in the section Log of its configuration.',
  });
