import { describe, expect, test } from 'vitest';
import { uploadAddressOf } from './config-request.ts';
import {
  CONFIG_REQUEST,
  configRequestWithMapping,
  MOBILE_NETWORK,
  xmlFieldsOf,
  xmlOf,
} from './test/config-fixture.ts';
import { readUploadSettings } from './test/upload-settings.ts';
import { childOf, readXml } from './xml.ts';

const device = (xml: string, name: string) => {
  const element = childOf(readXml(xml), name);
  return element && xmlFieldsOf(element);
};

describe('the connection of the logger (MEDIT-11)', () => {
  test('a logger connects over the mobile network, with the PIN of its SIM', () => {
    const network = { ...MOBILE_NETWORK, apn: 'iot', user: 'u', password: '<&>"\'', pin: '0042' };
    expect(device(xmlOf({ ...CONFIG_REQUEST, network }), 'CONFIG_MOBILE')).toMatchObject({
      APN: 'iot',
      UseAPN: 'true',
      User: 'u',
      Pass: '<&>"\'',
      PIN: '0042',
      UsePIN: 'true',
      RemoteStorageType: 'S3',
    });
    expect(device(xmlOf(CONFIG_REQUEST), 'CONFIG_MOBILE')).toMatchObject({ PIN: '', UsePIN: 'false' });
  });

  test.each([
    ['with a password', 'geheim ]]> &amp;', 'WPA2'],
    ['open', '', 'Open'],
  ])('a logger connects over Wi-Fi %s', (_what, password, security) => {
    const xml = xmlOf({ ...CONFIG_REQUEST, network: { kind: 'wifi', ssid: 'werf <1>', password } });
    expect(device(xml, 'CONFIG_WIFI')).toMatchObject({
      SSID: 'werf <1>',
      PSK: password,
      SecurityType: security,
      RealTimeSource: 'NTP',
    });
    expect(device(xml, 'CONFIG_MOBILE')).toBeUndefined();
    expect(device(xml, 'CONFIG')?.NTPServer).toBe('pool.ntp.org');
  });

  test('the upload settings can be read back from config.xml, whatever their characters', () => {
    const secret = 'a<b>&"c\'d]]>e/f+g= ';
    const upload = {
      ...CONFIG_REQUEST.upload,
      secret,
      rootCa: '-----BEGIN CERTIFICATE-----\r\nMII+/=\r\n-----END CERTIFICATE-----\r\n',
    };
    expect(readUploadSettings(xmlOf({ ...CONFIG_REQUEST, upload }))).toEqual({
      ...upload,
      rootCa: '-----BEGIN CERTIFICATE-----\nMII+/=\n-----END CERTIFICATE-----',
      guid: CONFIG_REQUEST.guid,
      snapshotNames: [
        'LATITUDE',
        'LONGITUDE',
        'GMT_UNIX',
        'Soc1',
        'BatteryCurrent',
        'MotorSpeed',
        'Torque',
        'Power',
      ],
      snapshotSeconds: 5,
    });
  });

  test.each([
    ['https://portaal.example.nl', { host: 'portaal.example.nl', port: 443, https: true }],
    ['http://portaal.example.nl', { host: 'portaal.example.nl', port: 80, https: false }],
    ['http://localhost:3000', { host: 'localhost', port: 3000, https: false }],
    ['https://bücher.example:8443/portaal', { host: 'xn--bcher-kva.example', port: 8443, https: true }],
  ])('PUBLIC_URL %s gives the host, port and protocol of the upload endpoint', (url, endpoint) => {
    expect(uploadAddressOf(url)).toEqual(endpoint);
    expect(
      readUploadSettings(xmlOf({ ...CONFIG_REQUEST, upload: { ...CONFIG_REQUEST.upload, endpoint } }))
        .endpoint,
    ).toEqual(endpoint);
  });
});

describe('names in the configuration (MEDIT-11)', () => {
  test.each([
    ['M0042', 'M0042'],
    ['12 a.b_c', '12-a-b-c'],
    ['_1234567_', '1234567'],
    ['...', 'logger'],
    ['x'.repeat(64), 'x'.repeat(32)],
  ])('the name of a log file of %s begins with %s', (serial, name) => {
    expect(device(xmlOf({ ...CONFIG_REQUEST, serial }), 'CONFIG')?.Name).toBe(name);
  });

  test.each(['a<b', 'a&b', '&amp;', ']]>', "it's", '%'])(
    'a mapped signal called %s has exactly that name in the snapshot',
    (name) => {
      expect(
        readUploadSettings(
          xmlOf(configRequestWithMapping([{ signal: 'Charge', to: name }])),
        ).snapshotNames.at(-1),
      ).toBe(name);
    },
  );
});
