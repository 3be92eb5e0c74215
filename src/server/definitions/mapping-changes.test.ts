import { describe, expect, test } from 'vitest';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import type { SignalMapping } from '#shared/contract/definition.ts';
import { mapSignalsWithEqualNames } from './mapping-changes.ts';

/** Returns a DBC of one message with these signals, one byte each; 'Speed [rpm]' has a unit. */
function dbcOf(...signals: string[]) {
  const lines = signals.map((signal, at) => {
    const [, name, unit = ''] = /^(\w+)(?: \[(.*)\])?$/.exec(signal) as RegExpExecArray;
    return ` SG_ ${name} : ${8 * at}|8@1+ (1,0) [0|0] "${unit}" X\n`;
  });
  return parseDbc(`BO_ 1 M: 8 X\n${lines.join('')}`, 'a.dbc');
}

const mappedBy = (signals: readonly string[], mapped: readonly SignalMapping[] = []): string[] =>
  mapSignalsWithEqualNames({ signals: [...mapped], keep: [] }, 0, dbcOf(...signals), 'logger').map(
    ({ signal, to }) => `${signal} > ${to}`,
  );
const from = (signal: string, to: string): SignalMapping => ({ bus: 0, message: 'M', signal, to });

describe('equally named signals', () => {
  test.each<[string, string[], string[]]>([
    ['one of the catalogue', ['MotorSpeed'], ['MotorSpeed > MotorSpeed']],
    ['another case', ['motorspeed'], ['motorspeed > MotorSpeed']],
    [
      'every pack that a form may have',
      ['Soc1', 'soc2', 'SOC8'],
      ['Soc1 > Soc1', 'soc2 > Soc2', 'SOC8 > Soc8'],
    ],
    ['a ninth pack', ['Soc9', 'Soc10'], []],
    ['a state of charge without its pack', ['Soc', 'SocDisp'], []],
    [
      'numbered flags',
      ['IsCharging1', 'IsCharging2'],
      ['IsCharging1 > IsCharging1', 'IsCharging2 > IsCharging2'],
    ],
    ['a flag with and without a number', ['IsCharging2', 'IsCharging'], ['IsCharging2', 'IsCharging']],
    ['a flag by its connector', ['IsChargingAC', 'IsCharging_DC'], ['IsChargingAC', 'IsCharging_DC']],
    ['a flag in another case', ['ischarging1'], ['ischarging1 > IsCharging1']],
    ['one flag in two cases', ['IsCharging1', 'ISCHARGING1'], []],
    ['a word that begins otherwise', ['ChrIsCharging1', 'Charging1'], []],
    ['a name of 65 characters', [`IsCharging${'x'.repeat(55)}`], []],
    ['the unit of another quantity', ['Speed [rpm]', 'IsChargingCurrent [A]', 'Soc1 [V]'], []],
    ['its own unit, or an unknown one', ['Speed [km/h]', 'Soc1 [units]'], ['Speed', 'Soc1']],
    ['no name of ours', ['OilTemperature'], []],
  ])('equally named signals are mapped, or not: %s (MEDIT-12, 12.A11)', (_, signals, expected) => {
    const written = expected.map((one) => (one.includes(' > ') ? one : `${one} > ${one}`));
    expect(mappedBy(signals).sort()).toEqual(written.sort());
  });

  test('an equally named signal in another unit gets the factor that converts it (55.20)', () => {
    const mapped = mapSignalsWithEqualNames(
      { signals: [], keep: [] },
      0,
      dbcOf('Speed [mph]', 'Soc1 [%]'),
      'machine',
    );
    expect(mapped.map(({ to, factor }) => [to, factor])).toEqual([
      ['Speed', 1.609344],
      ['Soc1', undefined],
    ]);
  });

  test.each<[string, SignalMapping[], string[], string[]]>([
    ['a flag that something else feeds', [from('Plug', 'IsCharging1')], ['IsCharging1'], []],
    [
      'a flag beside another flag',
      [from('Plug', 'IsChargingAC')],
      ['IsCharging1'],
      ['IsCharging1 > IsCharging1'],
    ],
    ['a signal that feeds something by now', [from('IsCharging1', 'Plug')], ['IsCharging1'], []],
    ['a pack under another name', [from('Level', 'SOC2')], ['Soc2'], []],
  ])('a present mapping stays: %s (MEDIT-12, 12.A11)', (_, mapped, signals, expected) => {
    expect(mappedBy(signals, mapped)).toEqual(expected);
  });
});
