import { expect, test } from 'vitest';
import { nameWordsOf } from './name-words.ts';

test.each<[string, string[]]>([
  ['MotorSpeed', ['motor', 'speed']],
  ['BMS_PackVoltage2', ['bms', 'pack', 'voltage', '2']],
  ['GPSLatitude04F', ['gps', 'latitude', '04', 'f']],
  ['DrvRpm', ['drv', 'rpm']],
  ['motorRPM', ['motor', 'rpm']],
  ['SOCdisp', ['soc', 'disp']],
  ['UIspeed_signed257', ['ui', 'speed', 'signed', '257']],
  ['SoC_Maybe', ['soc', 'maybe']],
  ['STATE_OF_CHARGE', ['soc']],
  ['StateOfCharge1', ['soc', '1']],
  ['State of charge as displayed', ['soc', 'as', 'displayed']],
  ['SOCUI292', ['soc', 'ui', '292']],
  ['motorspeedactual', ['motor', 'speed', 'actual']],
  ['packvoltage', ['pack', 'voltage']],
  ['IBatt', ['i', 'batt']],
  ['BattV2', ['batt', 'v', '2']],
  ['v12vBattCurrent261', ['v', '12v', 'batt', 'current', '261']],
  ['is12VBatterySupported', ['is', '12v', 'battery', 'supported']],
  ['TwelveVolt_Battery', ['12v', 'battery']],
  ['DC_Bus_Voltage', ['dcbus', 'voltage']],
  ['VCFRONT_driverIsLeavingAnySpeed', ['vcfront', 'driver', 'is', 'leaving', 'any', 'speed']],
  ['TracksSpeed_UNK', ['tracks', 'speed', 'unk']],
  ['ACCurrentPossible', ['ac', 'current', 'possible']],
  ['Associated', ['associated']],
  ['12345', ['12345']],
  ['', []],
])('the name %s is split into the words %j (12.A11)', (name, words) => {
  expect(nameWordsOf(name)).toEqual(words);
});

test('a word that can be split in very many ways is split without delay (12.A11)', () => {
  const word = `${'hvbatt'.repeat(6)}q`;
  const startedAt = performance.now();
  for (let n = 0; n < 1_000; n++) expect(nameWordsOf(word)).toEqual([word]);
  expect(performance.now() - startedAt).toBeLessThan(1_000); // 30
  expect(nameWordsOf('hvbatt'.repeat(100))).toHaveLength(1);
});
