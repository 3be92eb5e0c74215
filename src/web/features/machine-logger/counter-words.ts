import { plainNumber } from '#shared/domain/nl.ts';

/** What the upload door counts per logger (server/telemetry/counters.ts), in words for an administrator. */
const WORDS: readonly (readonly [name: string, words: string])[] = [
  ['uploads', 'Ontvangen bestanden'],
  ['readings', 'Opgeslagen metingen'],
  ['merged', 'Aangevulde metingen'],
  ['duplicates', 'Metingen die er al waren'],
  ['quarantined', 'In quarantaine'],
  ['skippedSignals', 'Overgeslagen signalen'],
  ['frames', 'CAN-berichten'],
  ['unknownFrames', 'Onbekende CAN-berichten'],
  ['badLines', 'Onleesbare regels'],
  ['refused', 'Geweigerde bestanden'],
];

export type CounterLine = readonly [words: string, count: string];

/** The counters that counted anything, in a fixed order; one that is new to this page comes last, under its own name. */
export function counterLines(counters: Readonly<Record<string, number>>): CounterLine[] {
  const known = new Map(WORDS);
  const others = Object.keys(counters).filter((name) => !known.has(name));
  return [...WORDS, ...others.map((name) => [name, name] as const)]
    .filter(([name]) => (counters[name] ?? 0) > 0)
    .map(([name, words]) => [words, plainNumber(counters[name] ?? 0)]);
}
