import { expect, test } from 'vitest';
import { checkConfig } from './check-config.ts';
import { CONFIG_REQUEST, xmlOf } from './test/config-fixture.ts';

const GOOD = xmlOf(CONFIG_REQUEST);

/**
 * Returns GOOD with the first match of `pattern` after `from` replaced.
 * @throws Error if nothing was replaced, which means an error in the test
 */
function changed(from: string, pattern: string | RegExp, to: string): string {
  const at = GOOD.indexOf(from);
  const bad = GOOD.slice(0, at) + GOOD.slice(at).replace(pattern, to);
  if (at < 0 || bad === GOOD) throw new Error(`nothing changed: ${from} ${pattern}`);
  return bad;
}

test("the portal's check accepts every config.xml that the portal makes (MEDIT-11, 11.8)", () => {
  expect(checkConfig(GOOD)).toEqual([]);
});

test.each<[string, string, string | RegExp, string, RegExp]>([
  // The vendor's schema finds these errors too.
  ['another version', '', '1.0.1', '1.0.2', /VERSION-TYPE/],
  ['an unknown element', '', '<CONFIG UID', '<MQTT/><CONFIG UID', /the root has MQTT/],
  ['a required field gone', '<CONFIG_S3', /<Region>.*<\/Region>/, '', /CONFIG_S3/],
  ['a field twice', '<CONFIG_S3', /(<Region>.*<\/Region>)/, '$1$1', /CONFIG_S3/],
  ['an unknown GNSS type', '', '<Type>DATETIME', '<Type>GMT_UNIX', /Type cannot be 'GMT_UNIX'/],
  ['a UID of more than 16 bits', '<CANINTERFACE', /UID="\d+"/, 'UID="70000"', /UID/],
  ['an invalid GUID', '', /<GUID>3/, '<GUID>', /GUID/],
  ['another namespace', '', 'xml/ReXgen"', 'xml/RexGen"', /the root/],
  ['no upload', '', /<CONFIG_S3[\s\S]*<\/CONFIG_S3>/, '', /the root has/],
  ['an empty list', '', /<GNSSINTERFACE UID[\s\S]*<\/GNSSINTERFACE>/, '', /GNSSINTERFACE_LIST is empty/],
  // The vendor's schema does not find the errors from here on.
  ['a UID twice', '<CANSIGNAL UID', /UID="\d+"/, 'UID="1"', /UID 1 is that of CONFIG and of CANSIGNAL/],
  ['UID 0', '<CANINTERFACE', /UID="\d+"/, 'UID="0"', /UID is not 1 to/],
  ['a reference to nothing', '<CANMESSAGE UID', /<InterfaceUID>\d+/, '<InterfaceUID>999', /999 is no block/],
  ['a reference to another kind', '<CANSIGNAL UID', /<InputUID>\d+/, '<InputUID>1', /InputUID 1 is CONFIG/],
  [
    'a snapshot item from the storage',
    '<DAQITEM UID',
    /<InputUID>\d+/,
    '<InputUID>4',
    /InputUID 4 is SDINTERFACE/,
  ],
  ['a bus twice', '', '<PhysicalNumber>2', '<PhysicalNumber>0', /PhysicalNumber 0 is there 2 times/],
  [
    'a logger that may disturb its bus',
    '',
    '<SilentMode>true',
    '<SilentMode>false',
    /SilentMode cannot be 'false'/,
  ],
  ['a bus without speed', '', '<CANBusSpeed>250000', '<CANBusSpeed>0', /CANBusSpeed/],
  ['CAN FD without its speed', '', '<CANFDBusSpeed>4000000', '<CANFDBusSpeed>0', /CAN FD or not/],
  [
    'a standard identifier of 12 bits',
    '',
    /513<\/MessageIdentEnd>/,
    '2048</MessageIdentEnd>',
    /identifiers 513 to 2048/,
  ],
  [
    'an extended identifier of 30 bits',
    '',
    /419361748<\/MessageIdentEnd>/,
    '536870912</MessageIdentEnd>',
    /to 536870912/,
  ],
  ['a length that no frame has', '', '<DLC>64', '<DLC>63', /63 bytes/],
  ['a default of another length', '', '<DefaultHex>0000', '<DefaultHex>00', /DefaultHex is not 8 bytes/],
  ['a CAN FD message on a classic bus', '', '>NORMAL_CAN<', '>FD_CAN<', /CAN FD on a bus without it/],
  ['no bits', '', '<BitCount>8', '<BitCount>0', /BitCount/],
  ['65 bits', '', '<BitCount>64', '<BitCount>65', /BitCount/],
  ['Intel bits past the end', '', '<StartBit>0', '<StartBit>57', /bits 57\|8 are outside/],
  ['Motorola bits past the end', '', '<StartBit>15', '<StartBit>56', /bits 56\|16 are outside/],
  ['a double in 32 bits', '', 'FLOAT32', 'FLOAT64', /FLOAT64 in 32 bits/],
  ['an endless factor', '', '<ParA>0.5', '<ParA>1e39', /ParA/],
  ['a raw < in a name', '', '<Name>Battery', '<Name>a<b', /line \d+/],
  ['a raw & in a secret', '', '<SecretKey>', '<SecretKey>&', /line \d+/],
  ['a character that becomes a question mark', '', '<SecretKey>', '<SecretKey>é', /SecretKey/],
  ['a name of 256 characters', '', '<Name>Battery<', `<Name>${'x'.repeat(256)}<`, /Name cannot be/],
  ['a DOCTYPE', '', '<REXGENCONFIG', '<!DOCTYPE x [<!ENTITY e "e">]><REXGENCONFIG', /DOCTYPE/],
  ['a key twice', '<DAQITEM_LIST', 'Soc1', 'Torque', /Name Torque is there 2 times/],
  ['a snapshot without time', '<DAQITEM_LIST', 'GMT_UNIX', 'TIME', /no GMT_UNIX/],
  [
    'a snapshot that our upload endpoint would not know',
    '',
    '<Name>Snapshot',
    '<Name>Values',
    /JSON snapshot/,
  ],
])("the portal's check of a config.xml finds %s (MEDIT-11)", (_what, from, pattern, to, fault) => {
  expect(checkConfig(changed(from, pattern, to)).join('\n')).toMatch(fault);
});
