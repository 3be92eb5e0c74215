import { expect, test } from 'vitest';
import { decodeStatus } from './status.ts';

const decode = (value: unknown) => decodeStatus(Buffer.from(JSON.stringify(value)));

test('Status.json gives the state that a logger reports (MEDIT-11)', () => {
  const status = {
    serial_number: '0002471',
    fw_ver: '1.2.3',
    micro_type: 'x',
    config_name: 'M0042',
    config_GUID: '{3F1C2A7E-6B0D-4E0C-9D55-0F7A2B1C9E10}',
    max_space_MB: 14832,
    free_space_MB: '14000.5',
    RTC_UNIX: 1732152000,
  };
  expect(decode(status)).toEqual({
    serialNumber: '0002471',
    firmware: '1.2.3',
    configName: 'M0042',
    configGuid: '3f1c2a7e-6b0d-4e0c-9d55-0f7a2b1c9e10',
    maxSpaceMb: 14832,
    freeSpaceMb: 14000.5,
    rtcUnix: 1732152000,
  });
});

test('device.json gives the state that a CANedge reports (43.11)', () => {
  const device = {
    id: '4F07A3C3',
    type: '0000001F',
    fw_ver: '01.09.01',
    hw_ver: '00.03/00.00',
    cfg_ver: '01.09',
    cfg_name: 'config-01.09.json',
    cfg_crc32: '9ECC0C10',
    space_used_mb: '36/7572',
    sd_used_lifespan: '2',
  };
  expect(decode(device)).toEqual({
    serialNumber: '4F07A3C3',
    firmware: '01.09.01',
    configName: 'config-01.09.json',
    maxSpaceMb: 7572,
    freeSpaceMb: 7536,
  });
});

test.each([
  [{ space_used_mb: '7573/7572' }, {}],
  [{ space_used_mb: '?' }, {}],
  [{ space_used_mb: 36 }, {}],
  [{ id: 'XYZ' }, {}],
  [{ id: 'a1b2c3d4' }, { serialNumber: 'A1B2C3D4' }],
])('device.json is read leniently: %j (43.11)', (device, status) => {
  expect(decode(device)).toEqual(status);
});

test.each([
  ['nothing', {}, {}],
  ['a serial number that lost its zeros', { serial_number: 2471 }, { serialNumber: '0002471' }],
  ['a serial number that is none', { serial_number: 'abc' }, {}],
  ['a firmware version as a number', { fw_ver: 1.5 }, { firmware: '1.5' }],
  [
    'text cut within a character',
    { config_name: `${'x'.repeat(99)}😀` },
    { configName: `${'x'.repeat(99)}\uFFFD` },
  ],
  ['endless text', { fw_ver: 'x'.repeat(5000) }, { firmware: 'x'.repeat(100) }],
  ['control characters', { config_name: 'a\u0000b\n' }, { configName: 'ab' }],
  ['a clock as text', { RTC_UNIX: '1732152000' }, { rtcUnix: 1732152000 }],
  ['sizes that are none', { max_space_MB: -1, free_space_MB: 1e300, RTC_UNIX: 'soon' }, {}],
  ['hexadecimal and blanks', { max_space_MB: '0x10', free_space_MB: '' }, {}],
  ['nested nonsense', { fw_ver: {}, config_name: [1], config_GUID: null, RTC_UNIX: true }, {}],
])('Status.json is read leniently: %s (INGEST-03)', (_, value, status) => {
  expect(decode(value)).toEqual(status);
});

test.each(['', 'null', '[]', '5', '{"a":'])(
  'a file that is no Status.json is rejected: %j (INGEST-03)',
  (text) => {
    expect(decodeStatus(Buffer.from(text))).toBeUndefined();
  },
);
