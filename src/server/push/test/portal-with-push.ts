/**
 * The production process, except that push also reaches the push service of the tests on this computer, whose origin is in PUSH_SERVICE.
 */
import { openOutboundClients } from '#server/outbound-ways.ts';
import { startProcess } from '#server/process.ts';
import { readSettings } from '#server/settings.ts';
import { openTestOutboundClient } from './push-service.ts';

await startProcess(readSettings, (config) => ({
  ...openOutboundClients(config),
  push: openTestOutboundClient(process.env.PUSH_SERVICE ?? ''),
}));
