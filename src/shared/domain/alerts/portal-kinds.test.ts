import { expect, test } from 'vitest';
import { alertText, EVALUATIONS } from './evaluations.ts';
import { MAX_UNKNOWN_KEYS } from './kinds/unknown-logger.ts';
import { defaultSettings, type OperatorAlertKind } from './kinds.ts';
import type { PortalState } from './portal-state.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-09T11:00:00Z');

const NOTHING: PortalState = {
  unknownKeys: [],
  quarantined: [],
  configurations: [],
  emptyLogs: [],
  mails: { since: undefined, waiting: 0, givenUp: 0 },
  backupAt: NOW,
  backupFailure: undefined,
  disks: [],
};
const found = (kind: OperatorAlertKind, known: Partial<PortalState>, open: readonly string[] = []) =>
  EVALUATIONS[kind]
    .evaluate({ ...NOTHING, ...known }, defaultSettings(kind), NOW, new Set(open))
    .map(({ subject, figures }) => `${subject}: ${alertText(kind, figures)}`);

const key = (accessKey: string, count: number, firstSeen = NOW - HOUR) => ({ accessKey, count, firstSeen });
const quarantined = (count: number) => ({
  quarantined: [
    { loggerSerial: '1', count: 1 },
    { loggerSerial: '2', count: count - 1 },
  ],
});
const TWENTY_ONE = ': 21 in 24 uur, de meeste van logger 2 (20)';
const mails = (minutes: number, waiting: number, givenUp: number) => ({
  mails: { since: waiting > 0 ? NOW - minutes * 60_000 : undefined, waiting, givenUp },
});
const disk = (free: number) => ({ disks: [{ place: 'a:/data', free: free * 2 ** 30, all: 100 * 2 ** 30 }] });
const configuration = (hours: number) => ({
  configurations: [{ serial: 'K-1', downloadedAt: NOW - hours * HOUR }],
});

const emptyLogs = (count: number) => ({
  emptyLogs: [
    {
      serial: 'K-1',
      count,
      since: NOW - HOUR,
      findings: [{ kind: 'readings', count: 0 }, { kind: 'empty-file' }] as const,
    },
  ],
});

test.each<
  [string, OperatorAlertKind, Partial<PortalState>, open: readonly string[], expected: readonly string[]]
>([
  ['a key that was refused only twice', 'unknown-logger', { unknownKeys: [key('A', 2)] }, [], []],
  [
    'two unknown keys',
    'unknown-logger',
    { unknownKeys: [key('B', 3, NOW - 1), key('A', 1_234)] },
    [],
    ['A: 1.234 keer geweigerd', 'B: 3 keer geweigerd'],
  ],
  ['as many deliveries as allowed', 'quarantine', quarantined(20), [], []],
  ['one delivery more than allowed', 'quarantine', quarantined(21), [], [TWENTY_ONE]],
  [
    'still too many deliveries to close an alert',
    'quarantine',
    quarantined(10),
    [''],
    [': 10 in 24 uur, de meeste van logger 2 (9)'],
  ],
  ['few enough deliveries to close an alert', 'quarantine', quarantined(9), [''], []],
  ['no deliveries', 'quarantine', {}, [], []],
  ['a configuration downloaded 47 hours ago', 'config-not-running', configuration(47), [], []],
  [
    'a configuration downloaded two days ago',
    'config-not-running',
    configuration(48),
    [],
    ['K-1: het gedownloade bestand draait nog niet'],
  ],
  ['nine files', 'logs-empty', emptyLogs(9), [], []],
  [
    'ten files',
    'logs-empty',
    emptyLogs(10),
    [],
    ['K-1: de laatste 10 logbestanden: 0 metingen; het bestand is leeg'],
  ],
  ['a mail that is retried', 'mail-failing', mails(29, 1, 0), [], []],
  [
    'a mail that is retried for half an hour',
    'mail-failing',
    mails(30, 1, 0),
    [],
    [': 1 mail al 30 min niet verstuurd'],
  ],
  [
    'mails that are retried and given up',
    'mail-failing',
    mails(125, 3, 1),
    [],
    [': 3 mails al 2 uur niet verstuurd, 1 mail opgegeven'],
  ],
  ['mails that were given up at once', 'mail-failing', mails(1, 1, 2), [], [': 2 mails opgegeven']],
  ['a backup less than two days old', 'backup-old', { backupAt: NOW - 2 * DAY + 1 }, [], []],
  [
    'a backup two days old',
    'backup-old',
    { backupAt: NOW - 2 * DAY },
    [],
    [': al 2 dagen geen back-up gemaakt'],
  ],
  [
    'a scheduled backup that fails (54.2)',
    'backup-old',
    { backupFailure: { since: NOW - HOUR, reason: 'de map van BACKUP_DIR is er niet' } },
    [],
    [': de back-up van BACKUP_AT mislukt: de map van BACKUP_DIR is er niet'],
  ],
  [
    'an old backup and a schedule that fails (54.2)',
    'backup-old',
    { backupAt: NOW - 3 * DAY, backupFailure: { since: NOW - HOUR, reason: 'x' } },
    [],
    [': al 3 dagen geen back-up gemaakt; de back-up van BACKUP_AT mislukt: x'],
  ],
  ['just enough free space', 'disk', disk(10), [], []],
  [
    'less free space than the limit',
    'disk',
    disk(9.96),
    [],
    ['a:/data: nog 10,0% vrij: 10,0 GB van 100,0 GB'],
  ],
  [
    'too little free space to close an alert',
    'disk',
    disk(11.9),
    ['a:/data'],
    ['a:/data: nog 11,9% vrij: 11,9 GB van 100,0 GB'],
  ],
  ['enough free space to close an alert', 'disk', disk(12), ['a:/data'], []],
  ['an open alert about another disk', 'disk', disk(11.9), ['b:/data'], []],
])(
  'the state of the portal “%s” gives the expected alerts by a rule of kind %s (16.1w, 52.2)',
  (_, kind, known, open, expected) => {
    expect(found(kind, known, open)).toEqual(expected);
  },
);

test('only the unknown access keys that were seen first raise an alert each, up to a maximum (16.1w)', () => {
  const unknownKeys = Array.from({ length: 1_000 }, (_, n) => key(`K${n}`, 9, NOW - n));
  const alerts = found('unknown-logger', { unknownKeys });
  expect(alerts).toHaveLength(MAX_UNKNOWN_KEYS);
  expect(alerts[0]).toMatch(/^K999:/);
});
