import { LogError } from '#server/telemetry/decode/log-outcome.ts';

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
