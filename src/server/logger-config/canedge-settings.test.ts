import { expect, test } from 'vitest';
import { canedgeProblems, canedgeSettings, canedgeWarnings } from './canedge-settings.ts';

const target = (host: string, https = true) => ({
  endpoint: { host, port: https ? 443 : 8080, https },
  bucket: 'telemetry',
  accessKey: 'WSAAAAAAAAAAAAAAAAAA',
  secret: 'secret',
  rootCa: '',
});

test('the S3 section of a CANedge has the fields of its schema (43.6)', () => {
  expect(JSON.parse(canedgeSettings(target('portaal.nl')))).toEqual({
    connect: {
      s3: {
        sync: { ota: 0, heartbeat: 300, logfiles: 1 },
        server: {
          endpoint: 'https://portaal.nl',
          port: 443,
          bucket: 'telemetry',
          region: 'us-east-1',
          request_style: 0,
          accesskey: 'WSAAAAAAAAAAAAAAAAAA',
          keyformat: 0,
          secretkey: 'secret',
          signed_payload: 0,
        },
      },
    },
  });
});

test('the settings for a portal on plain http make the CANedge sign its payloads, and warn the administrator that the connection is not encrypted (43.6)', () => {
  const plain = target('10.0.0.1', false);
  expect(JSON.parse(canedgeSettings(plain)).connect.s3.server).toMatchObject({
    endpoint: 'http://10.0.0.1',
    port: 8080,
    signed_payload: 1,
  });
  expect(canedgeWarnings(plain)).toEqual([expect.stringContaining('onversleuteld')]);
  expect(canedgeWarnings(target('localhost'))).toEqual([
    expect.stringContaining('Geen logger kan localhost bereiken'),
    expect.stringContaining('certificaat'),
  ]);
});

test('an address that does not fit into the settings of a CANedge is reported as a problem (43.6)', () => {
  expect(canedgeProblems(target('a'.repeat(120)))).toEqual([]);
  expect(canedgeProblems(target('a'.repeat(121)))).toEqual([expect.stringContaining('te lang')]);
});
