import { LogError } from '#server/telemetry/decode/log-outcome.ts';

export const notRxd = (): LogError => new LogError('no rxd', { kind: 'no-rxd' });

export const endsInConfiguration = (): LogError =>
  new LogError('truncated', { kind: 'rxd-ends-in-configuration' });
