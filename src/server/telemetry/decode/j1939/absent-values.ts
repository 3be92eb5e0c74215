import type { Target } from '#server/telemetry/decode/mapping-targets.ts';
import type { AbsentValue, AbsentValues } from '#shared/contract/definition.ts';
import { rawNone } from './values-that-are-none.ts';

/**
 * Returns which values of a snapshot are none: the logger sends what a J1939 sender marks as not available as a number like
 * any other. By the name that a signal is mapped to; only of signals that have such values.
 */
export const absentValues = (mapped: readonly Target[]): AbsentValues =>
  Object.fromEntries(
    mapped.flatMap(({ message, signal, name, factor, offset }): [string, AbsentValue][] => {
      const none = message.isJ1939 ? rawNone(signal) : undefined;
      if (none === undefined) return [];
      return [
        [
          name,
          { first: none.first, factor: signal.factor * factor, offset: signal.offset * factor + offset },
        ],
      ];
    }),
  );

/** Tells whether a value, raw x factor + offset, is none. Half a step allows for the logger's 32-bit floats. */
export const isAbsent = (value: number, { first, factor, offset }: AbsentValue): boolean =>
  (value - offset) / factor > first - 0.5;
