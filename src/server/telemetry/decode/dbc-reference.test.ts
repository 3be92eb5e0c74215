import { describe, expect, test } from 'vitest';
import { valueByOracle } from './bit-oracle.ts';
import { type DbcMessage, messageKey } from './dbc.ts';
import { compileMessage, decodeFrame } from './dbc-decode.ts';
import { bytes } from './dbc-fixture.ts';
import { parseDbc } from './dbc-parse.ts';
import { decodeText } from './dbc-text.ts';
import { hasSharedData, sharedData } from './shared-data.ts';

/** DBC files of cantools, of a real electric car and of others: ../shared/data, absent outside our workshop. */
const shared = test.skipIf(!hasSharedData);
const describeShared = describe.skipIf(!hasSharedData);

const load = (name: string) => parseDbc(decodeText(sharedData(name)), name);

function messageOf(file: string, name: string): DbcMessage {
  const message = load(file).messages.find((one) => one.name === name);
  if (message === undefined) throw new Error(`${file} has no ${name}`);
  return message;
}

type Vector = [file: string, message: string, data: string, values: Record<string, number>];

// Data and values of cantools' tests (tests/test_database.py) and of reference/logger.md section 4.
const vectors: Vector[] = [
  ['padding_bit_order', 'MSG0', '82c9000002c90000', { A: 713, B: 1, C: 713, D: 0 }],
  ['padding_bit_order', 'MSG1', '9305000092050000', { E: 1, F: 713, G: 0, H: 713 }],
  ['padding_bit_order', 'MSG2', '2103000000000000', { I: 1, J: 2, K: 3 }],
  ['padding_bit_order', 'MSG3', '0123456789abcdef', { L: Number(0x0123456789abcdefn) }],
  ['padding_bit_order', 'MSG4', 'efcdab8967452301', { M: Number(0x0123456789abcdefn) }],
  ['floating_point', 'Message1', '75931804562e60c0', { Signal1: -129.448 }],
  ['floating_point', 'Message2', '0080014324b29649', { Signal1: 129.5, Signal2: 1234500.5 }],
  ['signed', 'Message32', 'fbffffff00000000', { s32: -5 }],
  ['signed', 'Message33', 'fbffffff01000000', { s33: -5 }],
  ['signed', 'Message64', 'fbffffffffffffff', { s64: -5 }],
  ['signed', 'Message64big', 'fffffffffffffffb', { s64big: -5 }],
  ['signed', 'Message33big', 'fffffffd80000000', { s33big: -5 }],
  ['signed', 'Message32big', 'fffffffb00000000', { s32big: -5 }],
  ['signed', 'Message63', 'fbffffffffffff7f', { s63: -5 }],
  ['signed', 'Message63_1', 'f6ffffffffffffff', { s63: -5 }],
  ['signed', 'Message63big', 'fffffffffffffff6', { s63big: -5 }],
  ['signed', 'Message63big_1', '7ffffffffffffffb', { s63big: -5 }],
  [
    'signed',
    'Message378910',
    'fab43893850181d8',
    { s3big: -4, s3: 1, s10big: -253, s8big: 90, s7big: -40, s9: -100, s8: 100, s7: -3 },
  ],
  ['multiplex', 'Message1', '20008c0100000000', { Multiplexor: 8, BIT_C: 1, BIT_G: 1, BIT_J: 1, BIT_L: 1 }],
  ['multiplex', 'Message1', '40008c0100000000', { Multiplexor: 16, BIT_C: 1, BIT_G: 1, BIT_J: 1, BIT_L: 1 }],
  [
    'multiplex',
    'Message1',
    '60008c35c3000000',
    {
      Multiplexor: 24,
      BIT_A: 1,
      BIT_B: 1,
      BIT_C: 1,
      BIT_D: 1,
      BIT_E: 1,
      BIT_F: 1,
      BIT_G: 1,
      BIT_H: 1,
      BIT_J: 1,
      BIT_K: 1,
      BIT_L: 1,
    },
  ],
  ['multiplex_2', 'Extended', '2010270001210000', { S0: 0, S1: 2, S4: 10000, S6: 1, S7: 33 }],
  ['multiplex_2', 'Extended', '0064881302160000', { S0: 0, S1: 0, S2: 100, S3: 5000, S6: 2, S8: 22 }],
  ['multiplex_2', 'Extended', '3100000001040300', { S0: 1, S5: 3, S6: 1, S7: 772 }],
  ['multiplex_2', 'Shared', '0305000000000000', { S0: 3, S1: 0, S2: 5 }],
  ['multiplex_2', 'ExtendedTypes', '0500000080014300', { S11: 5, S9: 129.5 }],
  ['multiplex_2', 'ExtendedTypes', '0300008001430000', { S11: 3, S0: 0, S10: 129.5 }],
  ['issue_184_extended_mux_cascaded', 'ext_MUX_cascaded', '0009050700000000', { MUX_A: 0 }],
  ['issue_184_extended_mux_cascaded', 'ext_MUX_cascaded', '0109050700000000', { MUX_A: 1, muxed_A_1: 9 }],
  [
    'issue_184_extended_mux_cascaded',
    'ext_MUX_cascaded',
    '0200050700000000',
    { MUX_A: 2, muxed_A_2_MUX_B: 0, muxed_B_0: 5 },
  ],
  [
    'issue_184_extended_mux_cascaded',
    'ext_MUX_cascaded',
    '0201050700000000',
    { MUX_A: 2, muxed_A_2_MUX_B: 1, muxed_B_1: 7 },
  ],
  [
    'issue_184_extended_mux_cascaded',
    'ext_MUX_cascaded',
    '0205050700000000',
    { MUX_A: 2, muxed_A_2_MUX_B: 5 },
  ],
  [
    'issue_184_extended_mux_multiple_values',
    'ext_MUX_multiple_values',
    '00f0000000000000',
    { MUX: 0, muxed_0_3_4_5: -16 },
  ],
  [
    'issue_184_extended_mux_multiple_values',
    'ext_MUX_multiple_values',
    '01f0000000000000',
    { MUX: 1, muxed_1: -16 },
  ],
  [
    'issue_184_extended_mux_multiple_values',
    'ext_MUX_multiple_values',
    '02f0000000000000',
    { MUX: 2, muxed_2: -16 },
  ],
  [
    'issue_184_extended_mux_multiple_values',
    'ext_MUX_multiple_values',
    '03f0000000000000',
    { MUX: 3, muxed_0_3_4_5: -16 },
  ],
  [
    'issue_184_extended_mux_multiple_values',
    'ext_MUX_multiple_values',
    '05f0000000000000',
    { MUX: 5, muxed_0_3_4_5: -16 },
  ],
  ['issue_184_extended_mux_multiple_values', 'ext_MUX_multiple_values', '06f0000000000000', { MUX: 6 }],
];

describeShared('INGEST-04 cantools vectors', () => {
  test.each(vectors)('%s %s %s', (file, name, data, values) => {
    const message = messageOf(`cantools/${file}.dbc`, name);
    expect(Object.fromEntries(decodeFrame(compileMessage(message), bytes(data)))).toEqual(values);
    for (const signal of message.signals)
      if (signal.name in values) expect(valueByOracle(signal, bytes(data))).toBe(values[signal.name]);
  });
});

shared('INGEST-04 an extended identifier, value tables in cp1252, comments, cycle times', () => {
  const ids = load('cantools/test_extended_id_dump.dbc').messages.map(({ id, extended }) => ({
    id,
    extended,
  }));
  expect(ids).toEqual([
    { id: 0x100, extended: false },
    { id: 0x1c2a2a2a, extended: true },
  ]);
  const [choices] = load('cantools/choices.dbc').messages[0]?.signals ?? [];
  expect(choices?.values?.get(0)).toBe('With space');
  expect(choices?.values?.get(-5)).toBe('A negative value');
  expect(choices?.values?.get(1)).toMatch(/^#%=\*[^\uFFFD]'$/);
  const kona = load('kona/pcan.dbc').messages.find(({ name }) => name === 'VCU_109');
  expect(kona?.comment).toMatch(/^100Hz message\. On when IG3 is powered\.\n\nMost bytes/);
  const tesla = load('tesla/Model3CAN.dbc').messages.find(({ id }) => id === 530);
  expect(tesla?.cycleMs).toBe(100);
});

shared('INGEST-04 frames equal the golden file on the active multiplex branch', () => {
  type Golden = { frame: string; message: string; signals: Record<string, { v: number }> };
  const golden: Golden[] = JSON.parse(sharedData('kona/golden-decode.json').toString());
  const messages = new Map(load('kona/pcan.dbc').messages.map((message) => [messageKey(message), message]));
  expect(golden).toHaveLength(200);
  let compared = 0;
  for (const { frame, message: name, signals } of golden) {
    const [id = '', data = ''] = frame.split('#');
    const message = messages.get(Number.parseInt(id, 16)) as DbcMessage;
    expect(message.name).toBe(name);
    const values = Object.fromEntries(decodeFrame(compileMessage(message), bytes(data)));
    expect(values, frame).toEqual(
      Object.fromEntries(Object.entries(signals).map(([key, { v }]) => [key, v])),
    );
    compared += Object.keys(values).length;
  }
  expect(compared).toBe(864);
});

describeShared('INGEST-04 every signal of every DBC at hand equals the oracle', () => {
  test.each([
    'kona/pcan.dbc',
    'kona/ccan.dbc',
    'tesla/Model3CAN.dbc',
    'opendbc/gm_global_a_high_voltage_management.dbc',
    'opendbc/tesla_model3_vehicle.dbc',
    'opendbc/tesla_powertrain.dbc',
    'cantools/j1939.dbc',
  ])('%s', (file) => {
    let seed = 1;
    const noise = () => {
      seed = (seed * 48271) % 2147483647;
      return seed & 0xff;
    };
    for (const message of load(file).messages) {
      for (let round = 0; round < 5; round++) {
        const data = Uint8Array.from({ length: message.dlc }, noise);
        const unscaled = message.signals.map((signal) => ({ ...signal, factor: 1, offset: 0 }));
        const values = decodeFrame(compileMessage({ ...message, signals: unscaled }), data);
        for (const [name, value] of values) {
          const signal = unscaled.find((one) => one.name === name);
          expect(value, `${message.name} ${name}`).toBe(signal && valueByOracle(signal, data));
        }
        const always = unscaled.filter(({ activeWhen, unreadable }) => !activeWhen && !unreadable).length;
        expect(values.size).toBeGreaterThanOrEqual(always);
      }
    }
  });
});
