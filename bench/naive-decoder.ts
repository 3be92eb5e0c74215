import type { DbcMessage, DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';
import { rawByOracle, valueByOracle } from '#server/telemetry/decode/dbc/test/bit-oracle.ts';

/** Decodes a frame of a message into `out`, NaN where a signal is not in it. */
export type NaiveDecoder = (data: Uint8Array, out: Float64Array) => void;

/** All signals of a message, bit by bit with the oracle of the decoder's tests: the plain way, with BigInt. */
export function naiveDecoder(message: DbcMessage): NaiveDecoder {
  const signals = message.signals.filter(({ unreadable }) => unreadable === undefined);
  const scales = signals.map(({ factor, offset }) => scaleOf(factor, offset));
  const byName = new Map(signals.map((signal) => [signal.name, signal]));
  return (data, out) => {
    for (const [place, signal] of signals.entries()) {
      const value = isActive(signal, byName, data) ? valueByOracle(signal, data, scales[place]) : undefined;
      out[place] = value !== undefined && Number.isFinite(value) ? value : Number.NaN;
    }
  };
}

function isActive(signal: DbcSignal, byName: ReadonlyMap<string, DbcSignal>, data: Uint8Array): boolean {
  const { activeWhen } = signal;
  if (activeWhen === undefined) return true;
  const selector = byName.get(activeWhen.switch);
  if (!selector || !isActive(selector, byName, data)) return false;
  const raw = rawByOracle(selector, data);
  return (
    raw !== undefined && activeWhen.ranges.some(([from, to]) => raw >= BigInt(from) && raw <= BigInt(to))
  );
}

/** Factor and offset as whole numbers of 10^-decimals: 0.25 and -40 are 25 and -4000 of 2 decimals. */
export function scaleOf(
  factor: number,
  offset: number,
): { factor: bigint; offset: bigint; decimals: number } {
  const decimals = Math.max(decimalsOf(factor), decimalsOf(offset));
  return { factor: asWhole(factor, decimals), offset: asWhole(offset, decimals), decimals };
}

/** Digits behind the point, of the shortest text that means this number. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}

function asWhole(value: number, decimals: number): bigint {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(decimals - fraction.length + Number(exponent));
}
