import { Random } from '#shared/domain/test/oracle/random-machine.ts';
import type { OracleMemory } from './decode.ts';
import { isJ1939, type OracleDefinition, type OracleFrame, type OracleMessage } from './definition.ts';
import { randomDefinition } from './random-definition.ts';
import { drawTransferFrames } from './random-transfer.ts';
import { identifierPartsOf } from './transport.ts';

/** Start of the logs, in the middle of a second. */
const T0_MS = Date.UTC(2026, 5, 1, 10) + 321;
/** How far the log's clock jumps back: farther than a log lasts, so that no second occurs twice. */
const JUMP_BACK_MS = 40_000_000;
const FIVE_MINUTES_MS = 300_000;
/** Number of multi-frame messages whose frames are interleaved. */
const MAX_AT_ONCE = 4;

export type RandomLog = {
  readonly definition: OracleDefinition;
  readonly frames: readonly OracleFrame[];
  readonly memory: OracleMemory;
};

/** Draws a definition and a log for it. The same seed always gives the same log. */
export function randomLog(seed: number): RandomLog {
  const random = new Random(seed);
  const isCrowded = random.chance(0.1);
  const sources = Array.from({ length: isCrowded ? 30 : random.whole(1, 20) }, () => random.whole(0, 0xfd));
  const definition = withSources(randomDefinition(random, sources));
  const frames: OracleFrame[] = [];
  let now = T0_MS;
  let jumps = 0;
  const transfers: OracleFrame[][] = [];
  const send = (frame: Omit<OracleFrame, 'time'>): void => {
    // In a real log, frames of different buses are not in exact order of time.
    frames.push({ ...frame, time: random.chance(0.03) ? now - random.whole(1, 22) : now });
  };
  for (let n = isCrowded ? 800 : random.whole(20, 300); n > 0; n--) {
    // Packets usually follow each other closely.
    now += random.chance(transfers.length > 0 ? 0.97 : 0.8) ? random.whole(0, 120) : random.whole(0, 1600);
    if (random.chance(0.02)) now += FIVE_MINUTES_MS + random.pick([-60_000, -1, 0, 1, 60_000]);
    if (random.chance(0.004) && jumps++ < 3)
      now += random.pick([-JUMP_BACK_MS - 1234, -JUMP_BACK_MS, 3_600_000]);
    const begins = transfers.length < MAX_AT_ONCE && random.chance(0.15);
    const begun = begins ? randomTransfer(random, definition, sources) : undefined;
    if (begun) transfers.push(begun);
    const at = random.whole(0, transfers.length - 1);
    const packet = random.chance(0.7) ? transfers[at]?.shift() : undefined;
    if (transfers[at]?.length === 0) transfers.splice(at, 1);
    send(packet ?? randomFrame(random, definition, sources));
  }
  return { definition, frames, memory: randomMemory(random, definition, sources) };
}

/** Removes the mappings that are limited to one source address, except those of a J1939 message that any source may send. */
function withSources(definition: OracleDefinition): OracleDefinition {
  const mapped = definition.mapped.filter(({ bus: number, message: name, source }) => {
    const bus = definition.buses.find((one) => one.bus === number);
    const message = bus?.messages.find((one) => one.name === name);
    return (
      source === undefined ||
      (bus && message && isJ1939(bus, message) && identifierPartsOf(message.id).source === 0xfe)
    );
  });
  return { ...definition, mapped };
}

type Sent = Omit<OracleFrame, 'time'>;

function randomFrame(random: Random, definition: OracleDefinition, sources: readonly number[]): Sent {
  const [first, ...others] = definition.buses;
  const { bus, messages } = random.pick([first!, ...others]);
  const message = random.shuffled(messages)[0];
  const odd = random.next();
  const data = randomData(random, odd < 0.1 ? random.whole(0, 8) : Math.min(8, message?.bytes ?? 8));
  if (odd > 0.97) return { bus, id: random.whole(0, 0x7ff), extended: false, data };
  if (odd > 0.9 || message === undefined)
    return { bus, id: random.whole(0, 2 ** 29 - 1), extended: true, data };
  const { id, extended } = message;
  if (!extended || random.chance(0.2)) return { bus, id, extended, data };
  return { bus, id: sentBy(random, message, sources), extended, data };
}

/** Draws an identifier with which an ECU may send a message: a priority, a destination, and the ECU's address. */
function sentBy(random: Random, { id }: OracleMessage, sources: readonly number[]): number {
  const { group, source } = identifierPartsOf(id);
  const isPdu1 = group % 65_536 < 0xf000;
  const destination = isPdu1 ? random.pick([0, 0xff, 0x21]) : 0;
  const named = source === 0xfe || random.chance(0.3) ? random.pick([0, ...sources]) : source;
  const from = random.chance(0.04) ? random.pick([0xfe, 0xff]) : named;
  return random.whole(0, 7) * 2 ** 26 + (group + destination) * 256 + from;
}

const randomData = (random: Random, bytes: number): number[] => {
  const filled = random.chance(0.1) ? random.pick([0xff, 0xfe, 0xfb, 0]) : undefined;
  return Array.from({ length: bytes }, () =>
    random.chance(0.3)
      ? random.pick([0xff, 0xff, 0xfe, 0xfd, 0xfb, 0xfa, 0xf0, 0x7f, 0])
      : (filled ?? random.whole(0, 255)),
  );
};

function randomTransfer(
  random: Random,
  definition: OracleDefinition,
  sources: readonly number[],
): OracleFrame[] | undefined {
  const [first, ...others] = definition.buses;
  const { bus, messages } = random.pick([first!, ...others]);
  const long = messages.filter(({ extended }) => extended);
  const [message] = random.shuffled(random.chance(0.8) ? long.filter(({ bytes }) => bytes > 8) : long);
  if (message === undefined) return undefined;
  const { group } = identifierPartsOf(message.id);
  const size = random.chance(0.04)
    ? random.whole(0, 1800)
    : Math.max(9, message.bytes + random.pick([0, 0, 0, -2, 3]));
  const { source } = identifierPartsOf(sentBy(random, message, sources));
  const frames = drawTransferFrames(random, { group, source, data: randomData(random, size) });
  return frames.map(({ id, data }) => ({ time: 0, bus, id, extended: true, data }));
}

function randomMemory(
  random: Random,
  definition: OracleDefinition,
  sources: readonly number[],
): OracleMemory {
  if (random.chance(0.7)) return { senders: [], held: [] };
  const ofAny = definition.buses.flatMap((bus) =>
    bus.messages.filter((message) => isJ1939(bus, message) && identifierPartsOf(message.id).source === 0xfe),
  );
  const names = new Set(ofAny.map(({ name }) => name));
  const held = definition.mapped.filter(({ message, source }) => source === undefined && names.has(message));
  return {
    senders: ofAny.flatMap((message) =>
      sources.slice(0, random.whole(0, 2)).map((source) => ({ message, source })),
    ),
    held: held.map(({ to }) => ({
      name: to,
      source: random.pick([0, ...sources]),
      at: T0_MS - random.whole(0, 400_000),
    })),
  };
}

/** Returns a log in the format of candump -L. */
export const candumpText = (frames: readonly OracleFrame[]): string =>
  frames
    .map(({ time, bus, id, extended, data }) => {
      const hex = (value: number, digits: number): string =>
        value.toString(16).toUpperCase().padStart(digits, '0');
      const seconds = `${Math.floor(time / 1000)}.${String(time % 1000).padStart(3, '0')}000`;
      return `(${seconds}) can${bus} ${hex(id, extended ? 8 : 3)}#${data.map((byte) => hex(byte, 2)).join('')}\n`;
    })
    .join('');
