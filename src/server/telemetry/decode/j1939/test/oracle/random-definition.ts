import type { Random } from '#shared/domain/test/oracle/random-machine.ts';
import type {
  FrameFormat,
  OracleBus,
  OracleDefinition,
  OracleMapping,
  OracleMessage,
  OracleSignal,
} from './definition.ts';
import { identifierPartsOf } from './transport.ts';

const ANY = 0xfe;
const FORMATS = [undefined, 'ExtendedCAN', 'J1939PG'] as const;
const WIDTHS = [1, 2, 2, 2, 4, 8, 8, 8, 12, 16, 16, 32] as const;
/** Signals of the portal whose values have limits; values of other names have none. */
const OUR_NAMES = ['Soc1', 'Soc2', 'BatteryVoltage'];

/** Draws a definition: J1939 messages of each kind and choice, other messages of 29 and 11 bits, on one or two buses. */
export function randomDefinition(random: Random, sources: readonly number[]): OracleDefinition {
  const buses = (random.chance(0.3) ? [0, 1] : [0]).map((bus) => randomBus(random, bus, sources));
  const kept = buses.flatMap(({ bus, messages }) =>
    messages.filter(() => random.chance(0.5)).map(({ name }) => ({ bus, message: name })),
  );
  const mapped = buses.flatMap((bus) =>
    bus.messages.flatMap((message) =>
      message.signals.flatMap((signal) => mappings(random, bus, message, signal, sources)),
    ),
  );
  const ours = random.shuffled(OUR_NAMES);
  return {
    buses,
    kept,
    mapped: mapped.map((one) => (random.chance(0.1) ? { ...one, to: ours.pop() ?? one.to } : one)),
  };
}

function randomBus(random: Random, bus: number, sources: readonly number[]): OracleBus {
  const messages: OracleMessage[] = [];
  const taken = new Set<string>();
  for (let n = random.whole(2, 7); n > 0; n--) {
    const { id, extended } = randomId(random, sources, messages);
    const { group, source } = identifierPartsOf(id);
    // In rare cases two messages have the same group and source; then the first message in the file is used.
    const key = extended && random.chance(0.95) ? `${group} ${source}` : `${id}`;
    if (messages.some((one) => one.id === id && one.extended === extended)) continue;
    if (taken.has(key) || group === 0xec00 || group === 0xeb00) continue;
    taken.add(key);
    const isLong = extended && random.chance(0.3);
    const bytes = isLong ? random.whole(9, random.chance(0.2) ? 200 : 30) : random.whole(1, 8);
    const name = `M${bus}${messages.length}`;
    const format: FrameFormat | undefined = extended ? random.pick(FORMATS) : undefined;
    const signals = Array.from({ length: random.whole(1, 5) }, (_, at) =>
      randomSignal(random, `${name}S${at}`, bytes),
    );
    messages.push({ name, id, extended, bytes, signals, ...(format && { format }) });
  }
  const choice = random.pick(['none', 'dbc', 'all', 'all', 'some', 'some', 'some']);
  const chosen = messages.filter(({ extended }) => extended && random.chance(0.7)).map(({ id }) => id);
  const isJ1939Network = random.chance(0.5);
  const definesFormat = random.chance(0.7);
  return {
    bus,
    choice,
    chosen,
    isJ1939Network,
    ...(definesFormat && { defaultFormat: random.pick(['StandardCAN', 'ExtendedCAN', 'J1939PG']) }),
    messages: definesFormat ? messages : messages.map(({ format: _, ...message }) => message),
  };
}

function randomId(random: Random, sources: readonly number[], before: readonly OracleMessage[]) {
  if (random.chance(0.15)) return { id: random.whole(0, 0x7ff), extended: false };
  const source = random.chance(0.6) ? ANY : random.pick([0, ...sources]);
  const again = before.filter(({ extended }) => extended);
  // Sometimes reuse the parameter group of an earlier message, from another source and maybe at another priority.
  const like = random.chance(0.3) ? again[0]?.id : undefined;
  const pages = random.whole(0, 3);
  // Choose a PDU format below or above the border between PDU1 and PDU2 (240), often close to it.
  const format = random.pick([239, 240, random.whole(0, 239), random.whole(240, 255)]);
  const group =
    like === undefined
      ? pages * 2 ** 16 + format * 256 + random.whole(0, 255)
      : Math.floor(like / 256) % 2 ** 18;
  return { id: random.whole(0, 7) * 2 ** 26 + group * 256 + source, extended: true };
}

function randomSignal(random: Random, name: string, bytes: number): OracleSignal {
  const width = random.chance(0.7) ? random.pick(WIDTHS) : random.whole(1, 64);
  const bitCount = Math.min(width, 8 * bytes);
  const bigEndian = random.chance(0.4);
  const first = random.whole(0, 8 * bytes - bitCount);
  // A big endian (Motorola) signal starts at its most significant bit.
  const startBit = bigEndian ? Math.floor(first / 8) * 8 + 7 - (first % 8) : first;
  // A signal of more than 32 bits has no scale in the DBC. Its mapping scales it, if the result is exact.
  const isWide = bitCount > 32;
  const decimals = isWide ? 0 : random.whole(0, 4);
  const factor = isWide ? 1n : BigInt(random.pick([1, 1, 2, 4, 5, 125, 1000, -1, -25]));
  const offset = isWide ? 0n : BigInt(random.pick([0, 0, -40, -125, 1000, 12_345]));
  const bare = { name, startBit, bitCount, bigEndian, signed: random.chance(0.2), factor, offset, decimals };
  const range = randomRange(random, bare);
  const texts = bitCount <= 8 && random.chance(0.15) ? randomTexts(random, bitCount) : undefined;
  return { ...bare, ...(range && { range }), ...(texts && { texts }) };
}

/** Draws a range that ends at, before or after the highest raw value that is a measurement in J1939; undefined for no range. */
function randomRange(random: Random, signal: OracleSignal): readonly [bigint, bigint] | undefined {
  const { bitCount, factor, offset } = signal;
  const full = 2n ** BigInt(bitCount) - 1n;
  const first = bitCount < 8 ? full : 0xfbn * 2n ** BigInt(bitCount - 8);
  // A limit of a range is a double, which cannot hold a raw value plus one half if the signal has more than 52 bits.
  const highest = random.pick([
    undefined,
    undefined,
    first - 1n,
    bitCount > 52 ? full : first,
    full,
    full / 2n,
  ]);
  if (highest === undefined) return undefined;
  const [a, b] = [offset, highest * factor + offset];
  return a < b ? [a, b] : [b, a];
}

const randomTexts = (random: Random, bitCount: number): ReadonlyMap<number, string> =>
  new Map(
    [2 ** bitCount - 2, 2 ** bitCount - 1].map((raw) => [
      raw,
      random.pick(['Error', 'Not available', 'Reverse']),
    ]),
  );

function mappings(
  random: Random,
  { bus }: OracleBus,
  message: OracleMessage,
  { name: signal, bitCount }: OracleSignal,
  sources: readonly number[],
): OracleMapping[] {
  const factor = bitCount > 32 ? 2 ** (16 - bitCount) : random.pick([undefined, undefined, -1, 0.5]);
  const found: OracleMapping[] = [];
  const count = random.pick([0, 0, 1, 1, 2, 3]);
  for (let n = 0; n < count; n++) {
    const source = random.chance(0.5) ? random.pick([0, ...sources]) : undefined;
    found.push({
      bus,
      message: message.name,
      signal,
      to: `to${signal}n${n}`,
      ...(source !== undefined && { source }),
      ...(factor !== undefined && { factor }),
    });
  }
  return found;
}
