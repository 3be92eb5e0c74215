import { expect, test } from 'vitest';
import type { LoggerHealth } from '#shared/contract/writers.ts';
import { configAdvice, configSteps } from './config-state.ts';

type Config = LoggerHealth['config'];
const NOTHING: Config = {
  createdAt: null,
  downloadedAt: null,
  runningSince: null,
  runsAnother: false,
  outdated: false,
  oldAddress: null,
};
const T = '2026-01-05T11:00:00Z';
const health = (config: Partial<Config>, writer = true): LoggerHealth => ({
  plannedLogger: '',
  formerLoggers: [],
  missingSteps: [],
  loggerId: writer ? '0001234' : '',
  kind: 'rexgen',
  lastUpload: null,
  lastError: null,
  lastErrorFindings: [],
  lastErrorAt: null,
  lastRefusal: null,
  lastRefusedAt: null,
  counters: {},
  quarantine: [],
  status: null,
  events: [],
  intervalTooLong: false,
  replaceKeyBy: null,
  quotaNotices: [],
  config: { ...NOTHING, ...config },
  network: { kind: 'mobile', hasSimPin: false, apn: '', wifiSsid: '', hasWifiPassword: false },
  chain: { writer, config: config.createdAt !== undefined },
  missing: [],
});
const states = (of: LoggerHealth): string =>
  configSteps(of)
    .map(({ state }) => state[0])
    .join('');

test.each([
  ['nothing', health({}, false), 'oooo', undefined],
  ['a logger', health({}), 'dooo', undefined],
  ['made', health({ createdAt: T }), 'ddoo', undefined],
  ['downloaded', health({ createdAt: T, downloadedAt: T }), 'dddo', undefined],
  ['running', health({ createdAt: T, downloadedAt: T, runningSince: T }), 'dddd', undefined],
  [
    'another configuration runs',
    health({ createdAt: T, downloadedAt: T, runsAnother: true }),
    'dddf',
    /andere configuratie/,
  ],
  [
    'outdated',
    health({ createdAt: T, downloadedAt: T, runningSince: T, outdated: true }),
    'dddd',
    /Maak een nieuwe/,
  ],
] as const)(
  'steps and advice show the progress of a configuration: %s (MEDIT-05, MEDIT-15)',
  (_, of, expected, advice) => {
    expect(states(of)).toBe(expected);
    if (advice) expect(configAdvice(of, Date.parse(T))).toMatch(advice);
    else expect(configAdvice(of, Date.parse(T))).toBeUndefined();
  },
);

test('a CANedge has the steps logger bound, settings made, settings shown and first upload (43.6)', () => {
  const canedge = (config: Partial<Config>, lastUpload: string | null): LoggerHealth => ({
    ...health(config),
    kind: 'canedge',
    loggerId: '2F6913DB',
    lastUpload,
  });
  expect(configSteps(canedge({ createdAt: T }, null)).map(({ text }) => text)).toEqual([
    'Logger 2F6913DB is gekoppeld',
    expect.stringMatching(/^Instellingen gemaakt op /),
    'Nog niet getoond',
    'Nog niets ontvangen',
  ]);
  const last = configSteps(canedge({ createdAt: T, downloadedAt: T }, T)).at(-1);
  expect(last).toEqual({ text: expect.stringMatching(/^Laatste upload op /), state: 'done' });
  const now = Date.parse(T);
  expect(configAdvice(canedge({ createdAt: T, outdated: true }, T), now)).toContain('zet die in de CANedge');
  expect(configAdvice(canedge({ createdAt: T }, T), now)).toBeUndefined();
});

test('each step shows when it was done, in the time zone of Amsterdam (MEDIT-15)', () => {
  const texts = configSteps(health({ createdAt: T, downloadedAt: T, runningSince: T })).map((s) => s.text);
  expect(texts).toEqual([
    'Logger 0001234 is gekoppeld',
    'Configuratie gemaakt op 05-01-26, 12:00',
    'Gedownload op 05-01-26, 12:00',
    'Actief in de logger sinds 05-01-26, 12:00',
  ]);
  expect(configSteps(health({ createdAt: T, runsAnother: true }))[3]?.text).toBe(
    'Andere configuratie actief',
  );
});

test('the advice after a sale names the time by which the logger needs a new key, and after that time says that its data waits in quarantine', () => {
  const sold = { ...health({ createdAt: T, outdated: true }), replaceKeyBy: T };
  expect(configAdvice(sold, Date.parse(T) - 1)).toMatch(
    /nieuwe configuratie en laad die vóór 05-01-26, 12:00 in/,
  );
  expect(configAdvice(sold, Date.parse(T))).toMatch(
    /Sinds 05-01-26, 12:00 wacht wat hij stuurt in quarantaine/,
  );
});
