import { describe, expect, test } from 'vitest';
import { J1939Transport } from './transport.ts';

/** Returns a transport, and a function that passes one frame of 'EC' (TP.CM) or 'EB' (TP.DT) to it, 50 ms after the previous frame. */
function bus() {
  const transport = new J1939Transport();
  let timeMs = 0;
  const send = (kind: 'EC' | 'EB', destination: number, source: number, hex: string, pauseMs = 50) => {
    timeMs += pauseMs;
    const id = Number.parseInt(`18${kind}0000`, 16) + destination * 256 + source;
    const data = Uint8Array.from(Buffer.from(hex, 'hex'));
    const whole = transport.read(id, data, data.length, timeMs);
    return whole && { id: whole.id.toString(16), data: Buffer.from(whole.data).toString('hex') };
  };
  return { transport, send };
}

const BAM_OF_10 = '200A0002FFCAFE00'; // 10 bytes, 2 packets, group FECA
const RTS_OF_10 = '100A0002FFCAFE00';
const WHOLE = { id: 'feca17', data: '0102030405060708090a' };

describe('a multi-frame message (42.5)', () => {
  test('a message to all ECUs is reassembled from packets in order, without the padding', () => {
    const { send } = bus();
    expect(send('EC', 0xff, 0x17, BAM_OF_10)).toBeUndefined();
    expect(send('EB', 0xff, 0x17, '0101020304050607')).toBeUndefined();
    expect(send('EB', 0xff, 0x17, '0208090AFFFFFFFF')).toEqual(WHOLE);
    // The message is complete, so another packet is ignored.
    expect(send('EB', 0xff, 0x17, '0208090AFFFFFFFF')).toBeUndefined();
  });

  test('a message to one receiver is reassembled when the receiver requests a packet again', () => {
    const { send, transport } = bus();
    send('EC', 0x21, 0x17, RTS_OF_10);
    send('EC', 0x17, 0x21, '110201FFFFCAFE00');
    send('EB', 0x21, 0x17, '0208090AFFFFFFFF');
    send('EC', 0x17, 0x21, '110101FFFFCAFE00');
    send('EB', 0x21, 0x17, '02FFFFFFFFFFFFFF');
    send('EB', 0x21, 0x17, '0208090AFFFFFFFF');
    expect(send('EB', 0x21, 0x17, '0101020304050607')).toEqual(WHOLE);
    expect(transport.dropped).toBe(0);
  });

  test('a message to one receiver is reassembled when the receiver lets the sender wait (42.62)', () => {
    const { send, transport } = bus();
    send('EC', 0x21, 0x17, RTS_OF_10);
    send('EC', 0x17, 0x21, '110201FFFFCAFE00', 1_250);
    send('EB', 0x21, 0x17, '0101020304050607', 1_250);
    send('EC', 0x17, 0x21, '1100FFFFFFCAFE00', 1_000);
    send('EC', 0x17, 0x21, '110102FFFFCAFE00', 1_000);
    expect(send('EB', 0x21, 0x17, '0208090AFFFFFFFF', 1_000)).toEqual(WHOLE);
    send('EC', 0x21, 0x17, RTS_OF_10);
    send('EC', 0x17, 0x21, '110201FFFFCAFE00', 1_251);
    expect(transport.dropped).toBe(1);
  });

  test('multi-frame messages whose packets alternate are reassembled separately by source and receiver', () => {
    const { send } = bus();
    send('EC', 0xff, 0x17, BAM_OF_10);
    send('EC', 0xff, 0x18, BAM_OF_10);
    send('EC', 0x21, 0x17, RTS_OF_10);
    send('EB', 0xff, 0x18, '0111111111111111');
    send('EB', 0xff, 0x17, '0101020304050607');
    send('EB', 0x21, 0x17, '0122222222222222');
    expect(send('EB', 0xff, 0x17, '0208090AFFFFFFFF')).toEqual(WHOLE);
    expect(send('EB', 0x21, 0x17, '0233333333333333')?.data).toBe('22222222222222333333');
    expect(send('EB', 0xff, 0x18, '0244444444444444')?.data).toBe('11111111111111444444');
  });

  test('a multi-frame message can have the largest size', () => {
    const { send } = bus();
    send('EC', 0xff, 0x17, '20F906FFFFCAFE00'); // 1,785 bytes, 255 packets
    let whole: unknown;
    for (let packet = 1; packet <= 255; packet++)
      whole = send('EB', 0xff, 0x17, `${packet.toString(16).padStart(2, '0')}${'ab'.repeat(7)}`);
    expect(whole).toEqual({ id: 'feca17', data: 'ab'.repeat(1785) });
  });
});

describe('an interrupted multi-frame message (42.5)', () => {
  const cases: [string, (send: ReturnType<typeof bus>['send']) => unknown][] = [
    ['a packet of a broadcast is missing', (send) => send('EB', 0xff, 0x17, '0208090AFFFFFFFF')],
    ['packet 0', (send) => send('EB', 0xff, 0x17, '0001020304050607')],
    ['a pause of more than 1,250 ms', (send) => send('EB', 0xff, 0x17, '0101020304050607', 1_251)],
    ['a clock that jumps back', (send) => send('EB', 0xff, 0x17, '0101020304050607', -3_600_000)],
    ['an abort of the sender', (send) => send('EC', 0xff, 0x17, 'FF01FFFFFFCAFE00')],
  ];
  test.each(cases)(
    'an interrupted multi-frame message is dropped whole, and counted once: %s',
    (_, interrupt) => {
      const { send, transport } = bus();
      send('EC', 0xff, 0x17, BAM_OF_10);
      interrupt(send);
      expect([
        send('EB', 0xff, 0x17, '0101020304050607'),
        send('EB', 0xff, 0x17, '0208090AFFFFFFFF'),
      ]).toEqual([undefined, undefined]);
      expect(transport.dropped).toBe(1);
    },
  );

  test('a multi-frame message is dropped after a receiver’s abort, and after a new message between the same two ECUs', () => {
    const { send, transport } = bus();
    send('EC', 0x21, 0x17, RTS_OF_10);
    send('EC', 0x17, 0x21, 'FF01FFFFFFCAFE00');
    expect(transport.dropped).toBe(1);
    send('EC', 0xff, 0x17, BAM_OF_10);
    send('EB', 0xff, 0x17, '0155555555555555');
    send('EC', 0xff, 0x17, BAM_OF_10);
    send('EB', 0xff, 0x17, '0101020304050607');
    expect(send('EB', 0xff, 0x17, '0208090AFFFFFFFF')).toEqual(WHOLE);
    expect(transport.dropped).toBe(2);
  });

  test.each([
    ['8 bytes fit in one frame', '20080002FFCAFE00'],
    ['more than 1,785', '20FA06FFFFCAFE00'],
    ['a number of packets that does not fit the size', '200A0003FFCAFE00'],
  ])('a multi-frame message is dropped after an invalid announcement: %s', (_, control) => {
    const { send, transport } = bus();
    send('EC', 0xff, 0x17, control);
    expect(send('EB', 0xff, 0x17, '0101020304050607')).toBeUndefined();
    expect(transport.dropped).toBe(1);
  });

  test('the decoder keeps 256 of 1,000 unfinished messages in memory and drops the others', () => {
    const { send, transport } = bus();
    for (let destination = 0; destination < 4; destination++)
      for (let source = 0; source < 250; source++) send('EC', destination, source, RTS_OF_10, 0);
    expect(transport.dropped).toBe(1_000 - 256);
  });
});
