import { expect, test } from 'vitest';
import { decodeStatus, type LoggerStatus } from '#server/telemetry/decode/status.ts';
import { reportedStatus } from './logger-status.ts';

const RECEIVED = new Date('2026-06-01T10:00:00.400Z');
const SECONDS = RECEIVED.getTime() / 1000;
const statusOf = (fields: object) =>
  reportedStatus(decodeStatus(Buffer.from(JSON.stringify(fields))) as LoggerStatus, RECEIVED);
const NOTHING = { firmware: null, configName: null, freeMb: null, totalMb: null, clockAheadS: null };

test('the fields of a Status.json are shown, and absent fields are null (12.C6)', () => {
  const fields = {
    serial_number: 1234567,
    fw_ver: '3.11',
    config_name: 'config',
    max_space_MB: 7600,
    free_space_MB: '0',
    RTC_UNIX: Math.floor(SECONDS) + 90,
  };
  expect(statusOf(fields)).toEqual({
    receivedAt: RECEIVED.toISOString(),
    firmware: '3.11',
    configName: 'config',
    freeMb: 0,
    totalMb: 7600,
    clockAheadS: 90,
  });
  expect(statusOf({})).toEqual({ receivedAt: RECEIVED.toISOString(), ...NOTHING });
});

test.each([
  ['behind', Math.floor(SECONDS) - 7200, -7200],
  ['equal, to the second', Math.floor(SECONDS), 0],
  ['never set', 0, null],
  ['absent', undefined, null],
])("a logger's clock is compared with the portal's: %s (12.C6)", (_what, RTC_UNIX, clockAheadS) => {
  expect(statusOf({ RTC_UNIX }).clockAheadS).toBe(clockAheadS);
});
