import { describe, expect, test } from 'vitest';
import { SETTING_NAMES } from './alerts/kinds/kind.ts';
import { ALERT_KINDS } from './alerts/kinds.ts';
import { FIELD_TEXTS } from './field-texts.ts';
import { hasFieldText, logFieldLabel, logFieldValueText } from './log-fields.ts';
import { actionText, LOG_ACTIONS, logEntryLines, logEntryLineText } from './log-text.ts';

const linesOf = (changes: Parameters<typeof logEntryLines>[0]['changes'], data = {}): string[] =>
  logEntryLines({ data, changes }).map(logEntryLineText);

describe('Dutch texts of the log (55.40)', () => {
  test('every action in the log has its own Dutch text', () => {
    const words = Object.keys(LOG_ACTIONS).map(actionText);
    expect(new Set(words).size).toBe(words.length);
    for (const [action, [, word]] of Object.entries(LOG_ACTIONS))
      expect([action, word]).not.toEqual([action, action]);
  });

  test.each([
    ['severity', 'notice', 'Hoe erg', 'Melding'],
    ['hours', 'work', 'Wanneer', 'Alleen in werktijd'],
    ['tellsEnd', true, 'Vertel het ook als het voorbij is', 'ja'],
    ['quiet', '21:00-06:00', 'Stille uren', '21:00-06:00'],
    ['bitrate', 250_000, 'Snelheid', '250 kbit/s'],
    ['byMail', false, 'Per mail', 'nee'],
    ['routesFrom', 'kijker', 'Wie ziet routes van het verleden', 'Iedereen'],
    ['viewerHours', null, 'Een kijker ziet alleen posities onder werktijd', 'nee'],
    ['viewerHours', { days: [5, 1], from: '06:00', to: '18:00' }, expect.any(String), 'ma, vr 06:00-18:00'],
    ['positionDays', null, 'Posities bewaren (dagen)', 'zo lang als metingen'],
    ['report', 'inzet', 'Rapport', 'Inzet emissieloos materieel'],
    ['rhythm', 'week', 'Hoe vaak', 'elke week'],
    ['labelColour', 'red', 'Kleur', 'rood'],
    ['kind', 'not-charging', 'Soort', 'Aan de lader maar laadt niet'],
    ['firstDay', '2026-06-01', 'Eerste dag', '01-06-2026'],
    ['ended', 2, 'Beëindigde sessies', '2'],
    ['filter', { kind: 'sign-in', machine: 'L-1' }, 'Filter', 'soort Aanmelden, machine L-1'],
    [
      'ownHolidays',
      [{ holidayName: 'Bouwvak', firstDay: '2026-07-20', lastDay: '2026-08-07' }],
      'Eigen vrije dagen',
      'Bouwvak (20-07-2026 t/m 07-08-2026)',
    ],
  ])('the value of %s %j is shown with the Dutch text of its form', (name, value, word, shown) => {
    expect([logFieldLabel(name), logFieldValueText(name, value)]).toEqual([word, shown]);
    expect(hasFieldText(name, value)).toBe(true);
  });

  test('quiet hours and the settings of an alert rule are shown as they were before and after a change', () => {
    expect(linesOf({ quiet: ['21:00-06:00', '22:00-06:00'] })).toEqual([
      'Stille uren: 21:00-06:00 → 22:00-06:00',
    ]);
    const changes = {
      severity: ['notice', 'urgent'],
      settings: [
        { threshold: 20, hold: 2 },
        { threshold: 15, hold: 2 },
      ],
    } as const;
    expect(linesOf(changes, { kind: 'low' })).toEqual([
      'Hoe erg: Melding → Dringend',
      'Onder: 20 % → 15 %',
      'Soort: Accu laag',
    ]);
  });

  test('a change of a work week shows only the days that changed', () => {
    const day = { from: '07:00', to: '17:00' };
    expect(
      linesOf({
        workDays: [
          [day, day, null],
          [day, null, null],
        ],
      }),
    ).toEqual(['Dinsdag: 07:00-17:00 → vrij']);
  });

  test('a row that an older version of the portal stored is shown, also with names that no longer exist', () => {
    const settings = [null, { threshold: 20 }] as const;
    expect(linesOf({ settings })).toEqual(['Grens: geen → 20']);
    expect(linesOf({ severity: ['loud', 'notice'], unheardOf: [1, 2] })).toEqual([
      'Hoe erg: loud → Melding',
      'unheardOf: 1 → 2',
    ]);
  });

  test('a name that occurs in both the changes and the data of a row is shown once', () => {
    expect(linesOf({ webhookName: ['Oud', 'Nieuw'] }, { name: 'Nieuw' })).toEqual(['Naam: Oud → Nieuw']);
  });

  test('hasFieldText is false for an unknown name or value', () => {
    expect(hasFieldText('unheardOf', 1)).toBe(false);
    expect(hasFieldText('severity', 'loud')).toBe(false);
    expect(hasFieldText('alias', { deep: 1 })).toBe(false);
  });

  test('every form field, and every setting of an alert rule, has a Dutch text', () => {
    for (const [name, word] of Object.entries(FIELD_TEXTS))
      expect([name, word.length > 1]).toEqual([name, true]);
    for (const kind of Object.keys(ALERT_KINDS)) expect(hasFieldText('kind', kind)).toBe(true);
    for (const name of SETTING_NAMES)
      expect(linesOf({ settings: [{}, { [name]: 5 }] })[0]).toMatch(/^[A-Z][a-z]+.*: geen → 5$/);
  });
});
