import { LogError } from '#server/telemetry/decode/log-outcome.ts';

export const notRxdError = (): LogError => new LogError('no rxd', { kind: 'no-rxd' });

export const truncatedConfigurationError = (): LogError =>
  new LogError('truncated', { kind: 'rxd-ends-in-configuration' });
