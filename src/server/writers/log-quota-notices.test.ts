import { expect, test } from 'vitest';
import { type NearlyUsedQuota, quotaNoticesOf } from './log-quota-notices.ts';

const GIB = 1024 ** 3;
const OF_ALL: NearlyUsedQuota = {
  organizationId: 7,
  organization: 'Klant BV',
  loggerSerial: null,
  bytes: 85.04 * GIB,
  quota: 100 * GIB,
};
const OF_KEY: NearlyUsedQuota = { ...OF_ALL, loggerSerial: '3000001', bytes: 1.75 * GIB, quota: 2 * GIB };

const ALL =
  'De logbestanden van Klant BV gebruiken 85,0 GiB van 100,0 GiB (85%). Is dat vol, dan gaan de oudste weg; hun metingen blijven.';
const KEY =
  'Logger 3000001 van Klant BV stuurde vandaag 1,8 GiB van 2,0 GiB (88%) aan logbestanden. Wat niet meer past, wordt tot middernacht geweigerd en komt daarna opnieuw; snapshots en Status.json gaan door.';

test.each([
  ['the logger itself', 7, '3000001', [ALL, KEY]],
  ['another one of the organization', 7, '3000002', [ALL]],
  ['none bound', 7, '', [ALL]],
  ['one of another organization', 8, '3000003', []],
])(
  'the health of a logger shows the notices of its quotas: %s (12.B2)',
  (_whose, organizationId, logger, expected) => {
    expect(quotaNoticesOf([OF_ALL, OF_KEY], organizationId, logger)).toEqual(expected);
  },
);
