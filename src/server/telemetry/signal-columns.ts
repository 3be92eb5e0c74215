import { type KnownSignal, type Reading, SIGNALS } from '#shared/domain/signal.ts';

/** What an interval carries of its earlier reading, the position apart. */
export const INTERVAL_SIGNALS = SIGNALS.filter(({ name, tail }) => tail && !/^L(AT|ONG)ITUDE$/.test(name));
/** What tells that charging started, ended or completed. */
export const CHARGING_SIGNALS = SIGNALS.filter(({ charging }) => charging);
/** State of charge, battery by battery. */
export const SOC_SIGNALS = SIGNALS.filter(({ name }) => name.startsWith('Soc'));

/** As a `select` item: time (ms) and signals of the reading `r`, without names: thousands of rows at a time. */
export const asRow = (signals: readonly KnownSignal[]): string =>
  `array[date_part('epoch', r.time) * 1000, ${signals.map(({ column }) => `r.${column}`).join(', ')}]::float8[]`;

/** The reading of such a row. */
export function readingOf(row: readonly (number | null)[], known: readonly KnownSignal[]): Reading {
  const signals: Record<string, number> = {};
  for (const [n, { name }] of known.entries()) {
    const value = row[n + 1] ?? null;
    if (value !== null) signals[name] = value;
  }
  return { time: Math.round(row[0] as number), signals };
}
