import { expect, test } from 'vitest';
import type { RuleSettings } from './kinds/kind.ts';
import { ALERT_KIND_NAMES, type AlertKind, defaultSettings } from './kinds.ts';
import { machinesOfRuleText, ruleSentence } from './rule-sentence.ts';

test.each<[AlertKind, RuleSettings, string, string]>([
  [
    'low',
    { threshold: 12.5, clear: 25, hold: 2, clearHold: 1 },
    'een machine met label Nachtploeg',
    'Meld het als een accu van een machine met label Nachtploeg 2 minuten achter elkaar onder 12,5% is zonder dat er wordt geladen. De melding sluit zodra elke accu 1 minuut op 25% of hoger is.',
  ],
  [
    'speeding',
    { threshold: 30, clear: 28, hold: 0, clearHold: 0 },
    'Rups 1 of Rups 2',
    'Meld het als Rups 1 of Rups 2 harder dan 30 km/u rijdt. De melding sluit zodra de snelheid onder 28 km/u is.',
  ],
  ['silent', { threshold: 24 }, 'een machine', 'Meld het als van een machine 24 uur niets is ontvangen.'],
  [
    'not-full',
    { threshold: 90, ahead: 120 },
    'een machine',
    'Meld het als 2 uur voor het begin van de dienst te zien is dat de accu van een machine dan onder 90% is, of misschien niet vol.',
  ],
  [
    'moved',
    { threshold: 100 },
    'een machine op project A2',
    'Meld het als een machine op project A2 buiten werktijd meer dan 100 m wordt verplaatst.',
  ],
  [
    'backup-old',
    { threshold: 1 },
    'een machine',
    'Meld het als de laatste back-up die is teruggelezen ouder is dan 1 dag, of een back-up mislukt.',
  ],
])('a rule of kind %s reads as a sentence (53.27)', (kind, settings, of, sentence) => {
  expect(ruleSentence({ kind, settings, hours: 'always' }, of)).toBe(sentence);
});

test('the sentence about a rule of any kind names the hours of the rule and has no gap for a missing number (53.27)', () => {
  for (const kind of ALERT_KIND_NAMES) {
    const sentence = ruleSentence({ kind, settings: defaultSettings(kind), hours: 'work' });
    expect(sentence, kind).toMatch(/^Meld het in werktijd als [^…]*\.$/);
  }
});

test('the machines of a rule are the subject of its sentence (53.27)', () => {
  expect(machinesOfRuleText('all', [])).toBe('een machine');
  expect(machinesOfRuleText('labels', ['Nacht', 'Huur', 'Dag'])).toBe(
    'een machine met label Nacht, Huur of Dag',
  );
  expect(machinesOfRuleText('projects', ['A2'])).toBe('een machine op project A2');
  expect(machinesOfRuleText('projects', [])).toBe('een machine op een project dat er niet meer is');
  expect(machinesOfRuleText('labels', undefined)).toBe('een machine met label …');
  expect(machinesOfRuleText('chosen', ['Rups 1', 'Rups 2'])).toBe('Rups 1 of Rups 2');
  expect(machinesOfRuleText('chosen', ['1', '2', '3', '4'])).toBe('een van 4 gekozen machines');
  expect(machinesOfRuleText('chosen', [])).toBe('een machine die er niet meer is');
});
