import { describe, expect, test } from 'vitest';
import { type DbcSignal, messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import { compileMessage } from '#server/telemetry/decode/dbc/frame-decoder.ts';
import { valueByOracle } from '#server/telemetry/decode/dbc/test/bit-oracle.ts';
import { decodeFrame } from '#server/telemetry/decode/dbc/test/probe.ts';
import { decodeText } from '#server/telemetry/decode/file-text.ts';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { checkConfig } from './check-config.ts';
import { blocksOf, CONFIG_REQUEST, xmlOf } from './test/config-fixture.ts';
import { allElements, readXml, type XmlElement } from './xml.ts';

/** DBC files of cars and of parsers' tests: multiplexing, Intel and Motorola byte order, signed and float values, extended identifiers. */
const FILES = [
  'kona/pcan.dbc',
  'tesla/Model3CAN.dbc',
  'opendbc/gm_global_a_high_voltage_management.dbc',
  'cantools/floating_point.dbc',
  'cantools/signed.dbc',
  'cantools/j1939.dbc',
  'cantools/issue_184_extended_mux_cascaded.dbc',
];
const MAX_SIGNALS = 900;

/** Returns a definition that keeps every message and maps as many signals as a snapshot can have: `s0`, `s1` … */
function definitionOf(file: string): Definition {
  const dbc = decodeText(sharedData(file));
  const messages = parseDbc(dbc).messages.filter(({ dlc }) => dlc <= 8);
  const signals = messages.flatMap(({ name: message, signals }) =>
    signals
      .filter(({ activeWhen, unreadable }) => activeWhen === undefined && unreadable === undefined)
      .map(({ name: signal }) => ({ bus: 0, message, signal })),
  );
  const mapped = signals.slice(0, MAX_SIGNALS).map((signal, index) => ({ ...signal, to: `s${index}` }));
  const keep = [...new Set(messages.map(({ name }) => name))].map((message) => ({ bus: 0, message }));
  return { buses: [{ bus: 0, bitrate: 500_000, name: file, dbc }], mapping: { signals: mapped, keep } };
}

/** Returns the names of attributes and children of all elements, by path; adjacent children of one name are listed once. */
function shapeOf(root: XmlElement): Map<string, Set<string>> {
  const shape = new Map<string, Set<string>>();
  const visit = ({ attributes, children }: XmlElement, path: string): void => {
    const names = children.map(({ name }) => name).filter((name, index, all) => name !== all[index - 1]);
    const seen = shape.get(path) ?? new Set();
    shape.set(path, seen.add(`${Object.keys(attributes).join()}: ${names.join()}`));
    for (const child of children) visit(child, `${path}/${child.name}`);
  };
  visit(root, root.name);
  return shape;
}

describe.skipIf(!hasSharedData)(
  'the structure of ../shared/data/rexgen/minimal-config.xml (MEDIT-11)',
  () => {
    const minimal = () => readXml(sharedData('rexgen/minimal-config.xml').toString());

    test.each(FILES)(
      'the configuration for %s has the structure of the vendor’s example, element by element',
      (file) => {
        const xml = xmlOf({ ...CONFIG_REQUEST, definition: definitionOf(file) });
        expect(shapeOf(readXml(xml))).toEqual(shapeOf(minimal()));
        expect(checkConfig(xml)).toEqual([]);
      },
    );

    test('the logger vendor’s example of a config.xml passes the portal’s own checks', () => {
      expect(checkConfig(sharedData('rexgen/minimal-config.xml').toString())).toEqual([]);
    });

    /** Fields whose values come from a definition and settings; every other field has the same value as in the vendor's example. */
    const OURS =
      /^(GUID|Name|UploadRate|EndPoint|AccessKey|SecretKey|RootCertificate|DefaultValue|MessageIdent(Start|End)|\w*UID|DAQID)$/;

    test('config.xml has the values of the logger vendor’s example, except those that depend on the machine', () => {
      const dbc = 'BO_ 1 Battery: 8 X\n SG_ Charge : 0|8@1+ (0.5,0) [0|1] "" X\n';
      const definition = {
        buses: [{ bus: 0, bitrate: 250_000, name: 'a.dbc', dbc }],
        mapping: { signals: [{ signal: 'Charge', to: 'Soc1' }], keep: [] },
      };
      const valuesOf = (root: XmlElement) =>
        [...allElements(root)]
          .filter(({ name }) => !OURS.test(name))
          .map(({ name, text }) => `${name}=${text}`);
      expect(valuesOf(readXml(xmlOf({ ...CONFIG_REQUEST, definition })))).toEqual(valuesOf(minimal()));
    });
  },
);

describe.skipIf(!hasSharedData)(
  'the signals in config.xml mean what the DBC in ../shared/data says (MEDIT-11)',
  () => {
    test.each(FILES)(
      'reading a frame bit by bit as config.xml describes gives the decoder’s values: %s',
      (file) => {
        const definition = definitionOf(file);
        const xml = xmlOf({ ...CONFIG_REQUEST, definition });
        const ours = new Map(definition.mapping.signals.map(({ to, signal }) => [to, signal]));
        const messages = new Map(
          parseDbc(definition.buses[0]!.dbc).messages.map((one) => [messageKey(one), one]),
        );
        const signalsOf = Map.groupBy(blocksOf(xml, 'CANSIGNAL'), ({ MessageUID }) => MessageUID);
        let compared = 0;
        for (const { UID, MessageIdentStart, IsExtended } of blocksOf(xml, 'CANMESSAGE')) {
          const key = messageKey({ id: Number(MessageIdentStart), extended: IsExtended === 'true' });
          const message = messages.get(key)!;
          const decoder = compileMessage(message);
          for (let seed = 1; seed < 8; seed++) {
            const frame = Uint8Array.from(
              { length: message.dlc },
              (_, at) => (seed * 151 + at * 97) ^ (seed << at),
            );
            const values = decodeFrame(decoder, frame);
            for (const fields of signalsOf.get(UID) ?? []) {
              const value = values.get(ours.get(fields.Name!)!);
              if (value === undefined) continue; // a float that is NaN
              const [factor, offset] = [Number(fields.ParA), Number(fields.ParB)];
              const raw = valueByOracle(signalOf(fields), frame)!;
              const precision = 2 ** -23 * (Math.abs(raw * factor) + Math.abs(offset)); // precision of 32-bit factors
              expect(Math.abs(raw * factor + offset - value)).toBeLessThanOrEqual(precision);
              compared += 1;
            }
          }
        }
        expect(compared).toBeGreaterThanOrEqual(definition.mapping.signals.length * 6);
      },
    );

    const signalOf = ({
      StartBit,
      BitCount,
      Endian,
      SignalType = '',
    }: Record<string, string>): DbcSignal => ({
      name: '',
      startBit: Number(StartBit),
      bitCount: Number(BitCount),
      bigEndian: Endian === 'MOTOROLA',
      signed: SignalType === 'SIGNED',
      float: SignalType === 'FLOAT32' ? 32 : SignalType === 'FLOAT64' ? 64 : 0,
      ...{ factor: 1, offset: 0, min: 0, max: 0, unit: '' },
    });
  },
);
