import { expect, test } from 'vitest';
import { type ConfigSettings, settingsDigest } from './configuration-settings.ts';

const SETTINGS: ConfigSettings = {
  publicUrl: 'https://portaal.nl',
  bucket: 'telemetry',
  rootCa: '',
  mobile: { apn: 'internet', user: '', password: '' },
};
const MOBILE = { kind: 'mobile', apn: '' } as const;
const digest = (change: Partial<ConfigSettings>, network: Parameters<typeof settingsDigest>[1] = MOBILE) =>
  settingsDigest({ ...SETTINGS, ...change }, network, 'rexgen');

test.each<[string, Partial<ConfigSettings>]>([
  ['the address', { publicUrl: 'https://nieuw.nl' }],
  ['the bucket', { bucket: 'other' }],
  ['the certificate', { rootCa: 'PEM' }],
  ['the APN', { mobile: { apn: 'm2m', user: '', password: '' } }],
  ['the password of the APN', { mobile: { apn: 'internet', user: '', password: 'x' } }],
])('a change of %s makes a configuration outdated (55.15)', (_, change) => {
  expect(digest(change)).not.toBe(digest({}));
});

test('a change of the portal’s address makes the settings of a CANedge outdated, and a change of its root certificate or APN does not (43.6)', () => {
  const ofCanedge = (change: Partial<ConfigSettings>) =>
    settingsDigest({ ...SETTINGS, ...change }, MOBILE, 'canedge');
  expect(ofCanedge({ rootCa: 'PEM', mobile: { apn: 'm2m', user: '', password: '' } })).toBe(ofCanedge({}));
  expect(ofCanedge({ publicUrl: 'https://nieuw.nl' })).not.toBe(ofCanedge({}));
});

test('a change of the default APN does not make the configuration of a logger with its own APN, or on Wi-Fi, outdated (55.15)', () => {
  const mobile = { apn: 'm2m', user: '', password: '' };
  for (const network of [
    { kind: 'mobile', apn: 'own' },
    { kind: 'wifi', apn: '' },
  ] as const)
    expect(digest({ mobile }, network)).toBe(digest({}, network));
});
