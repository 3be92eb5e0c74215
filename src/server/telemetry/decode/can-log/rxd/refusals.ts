import { formatOf } from '#server/telemetry/decode/log-file-name.ts';
import { LogError } from '#server/telemetry/decode/log-outcome.ts';

/** Returns the error for a log that the logger encrypted, recognized by the file's name; undefined for any other name. */
export const encryptedLog = (name: string): LogError | undefined =>
  formatOf(name) === 'encrypted'
    ? new LogError('encrypted', {
        nl: 'Dit .rxe-bestand heeft de logger versleuteld (RSA) en kan niet gelezen worden: zet EncryptDataLog uit in de configuratie van de logger.',
        en: "The logger encrypted this .rxe file (RSA), so it cannot be read: switch EncryptDataLog off in the logger's configuration.",
      })
    : undefined;

export const notRxd = (): LogError =>
  new LogError('no rxd', {
    nl: 'Dit is geen .rxd-bestand van een ReXgen-logger: het begint niet met een configuratie.',
    en: 'This is no .rxd file of a ReXgen logger: it does not begin with a configuration.',
  });

export const endsInConfiguration = (): LogError =>
  new LogError('truncated', {
    nl: 'Het .rxd-bestand houdt op in zijn configuratie, vóór de eerste meting.',
    en: 'The .rxd file ends within its configuration, before the first record.',
  });
