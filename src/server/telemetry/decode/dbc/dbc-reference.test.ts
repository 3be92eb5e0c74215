import { describe, expect, test } from 'vitest';
import { decodeText } from '#server/telemetry/decode/file-text.ts';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import { type DbcMessage, messageKey } from './dbc.ts';
import { parseDbc } from './dbc-parse.ts';
import { compileMessage } from './frame-decoder.ts';
import { valueByOracle } from './test/bit-oracle.ts';
import { cantoolsVectors } from './test/cantools-vectors.ts';
import { bytesFromHex, decodeFrame } from './test/probe.ts';

/** DBC files of cantools, of a real electric car and of others in ../shared/data, which is not part of the repository. */
const shared = test.skipIf(!hasSharedData);
const describeShared = describe.skipIf(!hasSharedData);

const load = (name: string) => parseDbc(decodeText(sharedData(name)), name);

function messageOf(file: string, name: string): DbcMessage {
  const message = load(file).messages.find((one) => one.name === name);
  if (message === undefined) throw new Error(`${file} has no ${name}`);
  return message;
}

describeShared('the examples of cantools (INGEST-04)', () => {
  test.each(cantoolsVectors)('a frame is decoded as by cantools: %s %s %s', (file, name, data, values) => {
    const message = messageOf(`cantools/${file}.dbc`, name);
    expect(Object.fromEntries(decodeFrame(compileMessage(message), bytesFromHex(data)))).toEqual(values);
    for (const signal of message.signals)
      if (signal.name in values) expect(valueByOracle(signal, bytesFromHex(data))).toBe(values[signal.name]);
  });
});

shared(
  'extended identifiers, value tables in cp1252, comments and cycle times of real DBC files are read (INGEST-04)',
  () => {
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
  },
);

shared(
  '200 recorded frames are decoded as in the golden file, on the active multiplex branch (INGEST-04)',
  () => {
    type Golden = { frame: string; message: string; signals: Record<string, { v: number }> };
    const golden: Golden[] = JSON.parse(sharedData('kona/golden-decode.json').toString());
    const messages = new Map(load('kona/pcan.dbc').messages.map((message) => [messageKey(message), message]));
    expect(golden).toHaveLength(200);
    let compared = 0;
    for (const { frame, message: name, signals } of golden) {
      const [id = '', data = ''] = frame.split('#');
      const message = messages.get(Number.parseInt(id, 16)) as DbcMessage;
      expect(message.name).toBe(name);
      const values = Object.fromEntries(decodeFrame(compileMessage(message), bytesFromHex(data)));
      expect(values, frame).toEqual(
        Object.fromEntries(Object.entries(signals).map(([key, { v }]) => [key, v])),
      );
      compared += Object.keys(values).length;
    }
    expect(compared).toBe(864);
  },
);

describeShared('the signals of the DBC files in ../shared/data (INGEST-04)', () => {
  test.each([
    'kona/pcan.dbc',
    'kona/ccan.dbc',
    'tesla/Model3CAN.dbc',
    'opendbc/gm_global_a_high_voltage_management.dbc',
    'opendbc/tesla_model3_vehicle.dbc',
    'opendbc/tesla_powertrain.dbc',
    'cantools/j1939.dbc',
  ])('every signal of %s equals the oracle', (file) => {
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
