import { expect, test } from 'vitest';
import { CanFrame } from '#server/telemetry/decode/can-log/can-frame.ts';
import { TEST_FRAMES_START_MS, type TestFrame } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { readMf4 } from '#server/telemetry/decode/can-log/test/read-mf4.ts';
import { sampleMf4 } from '#server/telemetry/decode/can-log/test/sample-mf4.ts';
import { decodeCanedgeGnss } from './canedge-receiver.ts';

/** A position in a CANedge's message, from the examples of CSS Electronics: latitude 56.157069, longitude 10.210894. */
const AARHUS = '1b5c6cd169cc6a29';

function frameOf(bus: number, id: number, hex: string, extended = false): CanFrame {
  const frame = new CanFrame();
  const bytes = Buffer.from(hex, 'hex');
  frame.data.set(bytes);
  return Object.assign(frame, { bus, id, extended, length: bytes.length });
}

test.each<[string, CanFrame, [string, number][] | undefined]>([
  [
    'a position',
    frameOf(9, 0x67, AARHUS),
    [
      ['LATITUDE', 56.157069],
      ['LONGITUDE', 10.210894],
    ],
  ],
  ['a position without a fix', frameOf(9, 0x67, '1a5c6cd169cc6a29'), []],
  ['a speed of 10 m/s', frameOf(9, 0x6b, '214e000000'), [['Speed', 36]]],
  ['an altitude of 12.5 m', frameOf(9, 0x68, 'bbd50100'), [['ALTITUDE', 12.5]]],
  ['a position that is cut', frameOf(9, 0x67, '1b5c6cd169cc6a'), undefined],
  ['a message of the machine', frameOf(1, 0x67, AARHUS), undefined],
  ['an extended identifier', frameOf(9, 0x67, AARHUS, true), undefined],
  ['another message of the CANedge', frameOf(9, 0x66, '034000524316'), undefined],
])('the receiver of a CANedge is decoded: %s (43.10)', (_, frame, expected) => {
  expect(decodeCanedgeGnss(frame)).toEqual(expected);
});

test('positions of the CANedge’s GNSS receiver in an MF4 are read as values, and all other messages as frames (43.10)', () => {
  const frame = (bus: number, id: number, hex: string, us: number): TestFrame => ({
    ...{ kind: 'frame', us: TEST_FRAMES_START_MS * 1000 + us, bus, id, extended: false, fd: false },
    data: Buffer.from(hex, 'hex'),
  });
  const frames = [frame(9, 0x67, AARHUS, 0), frame(9, 0x65, '63', 100), frame(1, 0x67, AARHUS, 200)];
  const { rows, damaged } = readMf4(sampleMf4(frames, { idBytes: 1, data: 'record behind' }));
  const at = (us: number) => TEST_FRAMES_START_MS * 1000 + us;
  expect(damaged).toBe(0);
  expect(rows).toEqual([
    `${at(0)} LATITUDE 56.157069`,
    `${at(0)} LONGITUDE 10.210894`,
    `${at(100)} 9 65 63`,
    `${at(200)} 1 67 ${AARHUS}`,
  ]);
});
