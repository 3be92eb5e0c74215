import type { Random } from '#shared/domain/test/oracle/random-machine.ts';

type Sent = { readonly id: number; readonly data: readonly number[] };
type Long = { readonly group: number; readonly source: number; readonly data: readonly number[] };

/**
 * Draws the frames of a multi-frame message to all ECUs (BAM) or to one ECU (RTS and CTS): complete, or with packets
 * that are missing, repeated or in another order, aborted, or never ending.
 */
export function drawTransferFrames(random: Random, { group, source, data }: Long): Sent[] {
  const isBroadcast = random.chance(0.6);
  const destination = isBroadcast ? 0xff : random.pick([0x00, 0x21]);
  const priority = random.pick([7, 7, 6, 0]) * 2 ** 26;
  const frame = (format: number, to: number, from: number, bytes: readonly number[]): Sent => ({
    id: priority + format * 65_536 + to * 256 + from,
    data: bytes,
  });
  const isPdu1 = group % 65_536 < 0xf000;
  const about = [
    isPdu1 && random.chance(0.2) ? destination : group % 256,
    Math.floor(group / 256) % 256,
    Math.floor(group / 65_536),
  ];
  const size = [data.length % 256, Math.floor(data.length / 256)];
  const count = Math.ceil(data.length / 7) % 256;
  const odd = random.next();
  const begin = frame(0xec, destination, source, [
    isBroadcast ? 32 : 16,
    ...size,
    odd < 0.03 ? 255 : count,
    0xff,
    ...about,
  ]);
  const cts = frame(0xec, source, destination, [17, count, 1, 0xff, 0xff, ...about]);
  const done = frame(0xec, source, destination, [19, ...size, count, 0xff, ...about]);
  const body = Array.from({ length: count }, (_, n) => {
    const bytes = [...data.slice(n * 7, n * 7 + 7), ...Array<number>(7).fill(0xff)].slice(0, 7);
    return frame(0xeb, destination, source, [n + 1, ...bytes]);
  });
  const at = random.whole(0, Math.max(0, count - 1));
  const spoiled = spoil(random, body, at);
  const wait = isBroadcast ? [] : [frame(0xec, source, destination, [17, 0, 0xff, 0xff, 0xff, ...about])];
  // Either side may abort.
  const [to, from] = random.chance(0.5) ? [destination, source] : [source, destination];
  const abort = odd > 0.95 ? [frame(0xec, to, from, [255, 3, 0xff, 0xff, 0xff, ...about])] : [];
  const sent = [...spoiled.slice(0, at), ...(odd > 0.8 ? wait : []), ...abort, ...spoiled.slice(at)];
  return isBroadcast ? [begin, ...sent] : [begin, cts, ...sent, done];
}

function spoil(random: Random, body: readonly Sent[], at: number): Sent[] {
  const kind = random.pick([
    'whole',
    'whole',
    'whole',
    'whole',
    'missing',
    'repeated',
    'swapped',
    'unending',
    'again',
  ]);
  const [before, after] = [body.slice(0, at), body.slice(at)];
  if (kind === 'missing') return [...before, ...after.slice(1)];
  if (kind === 'repeated') return [...before, ...after.slice(0, 1), ...after];
  if (kind === 'swapped') return [...before, ...after.slice(1, 2), ...after.slice(0, 1), ...after.slice(2)];
  if (kind === 'unending') return before;
  // The receiver may request again that the sender continues from an earlier packet.
  if (kind === 'again') return [...before, ...body.slice(Math.max(0, at - 2))];
  return [...body];
}
