import { afterAll, beforeAll, expect, test } from 'vitest';
import { EndpointClosed } from '#server/s3/upload-backend.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { openUploadBackend } from './upload-backend.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

test('an upload that is still in progress when the portal has stopped is answered with 503, without a warning (12.C8)', async () => {
  const logger = await portal.logger(await portal.machine(await portal.organization('Stop')), '2200001');
  const backend = openUploadBackend(portal.portal.telemetry, 'bucket', 'https://portal.example.nl');
  await portal.stop();
  // The upload endpoint logs a warning for every EndpointUnavailable that is not an EndpointClosed.
  await expect(backend.admitLog(logger, 10)).rejects.toBeInstanceOf(EndpointClosed);
});
