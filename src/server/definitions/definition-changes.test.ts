import { describe, expect, test } from 'vitest';
import type { SignalMapping } from '#shared/contract/definition.ts';
import { type ComparedDefinition, definitionChanges } from './definition-changes.ts';

const ACCU = { bus: 0, bitrate: 250_000, name: 'accu.dbc', content: 'a' };
const DRIVE = { bus: 1, bitrate: 500_000, name: 'drive.dbc', content: 'd' };
const SOC: SignalMapping = { bus: 0, message: 'BMS', signal: 'soc1', to: 'Soc1' };
const made = (
  buses: ComparedDefinition['buses'],
  signals: SignalMapping[] = [],
  keep: ComparedDefinition['mapping']['keep'] = [],
): ComparedDefinition => ({ buses, mapping: { signals, keep } });
const kept = { bus: 0, message: 'BMS' };

describe('the differences of two definitions (12.C1)', () => {
  test.each<[string, ComparedDefinition, ComparedDefinition, string[]]>([
    ['nothing', made([ACCU], [SOC], [kept]), made([ACCU], [SOC], [kept]), []],
    ['a first file', made([]), made([ACCU]), ['CAN-bus 0: accu.dbc toegevoegd (250 kbit/s)']],
    ['a second file', made([ACCU]), made([ACCU, DRIVE]), ['CAN-bus 1: drive.dbc toegevoegd (500 kbit/s)']],
    ['a removed file', made([ACCU, DRIVE]), made([DRIVE]), ['- CAN-bus 0: accu.dbc verwijderd']],
    [
      'another file',
      made([ACCU]),
      made([{ ...ACCU, name: 'nieuw.dbc', content: 'n' }]),
      ['- CAN-bus 0: accu.dbc vervangen door nieuw.dbc'],
    ],
    [
      'another file of the same name, at another rate',
      made([ACCU]),
      made([{ ...ACCU, bitrate: 500_000, content: 'n' }]),
      [
        '- CAN-bus 0: accu.dbc vervangen door een ander bestand van die naam',
        'CAN-bus 0: snelheid 250 kbit/s → 500 kbit/s',
      ],
    ],
    [
      'a file by another name',
      made([ACCU]),
      made([{ ...ACCU, name: 'b.dbc' }]),
      ['CAN-bus 0: accu.dbc heet nu b.dbc'],
    ],
    [
      'an entry more',
      made([ACCU]),
      made([ACCU], [SOC]),
      ['Koppeling toegevoegd: Laadtoestand accu 1 uit soc1 (BMS, can0)'],
    ],
    [
      'an entry less',
      made([ACCU], [SOC]),
      made([ACCU]),
      ['- Koppeling vervalt: Laadtoestand accu 1 uit soc1 (BMS, can0)'],
    ],
    [
      'an entry from elsewhere, scaled',
      made([ACCU], [SOC]),
      made([ACCU], [{ signal: 'PackSoc', to: 'Soc1', factor: -0.001, offset: -40 }]),
      ['- Koppeling gewijzigd: Laadtoestand accu 1 uit PackSoc × -0,001 − 40, was soc1 (BMS, can0)'],
    ],
    [
      'an entry that names its bus and message',
      made([ACCU], [{ signal: 'soc1', to: 'Soc1', factor: 1 }]),
      made([ACCU], [SOC]),
      [],
    ],
    [
      'the same name on another bus',
      made([ACCU], [SOC]),
      made([ACCU], [{ ...SOC, bus: 1 }]),
      ['- Koppeling gewijzigd: Laadtoestand accu 1 uit soc1 (BMS, can1), was soc1 (BMS, can0)'],
    ],
    [
      'a custom name',
      made([ACCU]),
      made([ACCU], [{ ...SOC, to: 'Olie' }]),
      ['Koppeling toegevoegd: Olie uit soc1 (BMS, can0)'],
    ],
    [
      'kept messages',
      made([ACCU], [], [kept]),
      made([ACCU], [], [{ bus: 1, message: 'BMS' }]),
      ['- Bewaren vervalt: BMS (can0)', 'Bewaren toegevoegd: BMS (can1)'],
    ],
    [
      'everything',
      made([ACCU], [SOC], [kept]),
      made([]),
      [
        '- CAN-bus 0: accu.dbc verwijderd',
        '- Koppeling vervalt: Laadtoestand accu 1 uit soc1 (BMS, can0)',
        '- Bewaren vervalt: BMS (can0)',
      ],
    ],
  ])(
    'the differences of two definitions are listed, and each removal or replacement is marked as a loss: %s (12.C1)',
    (_, before, after, expected) => {
      const changes = definitionChanges(before, after);
      expect(changes.map(({ text, isLoss }) => (isLoss ? `- ${text}` : text))).toEqual(expected);
    },
  );
});
