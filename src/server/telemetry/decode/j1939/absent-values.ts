import type { MappingTarget } from '#server/telemetry/decode/mapping-targets.ts';
import type { AbsentValue, AbsentValues } from '#shared/contract/definition.ts';
import { absentRawValues } from './absent-raw-values.ts';

/**
 * Returns for the mapped signals of a snapshot which raw values are no measurement, by the name that a signal is mapped to. Leaves
 * out signals without such values. A snapshot has an ordinary number where the J1939 sender marks a value as not available.
 */
export const absentValues = (mapped: readonly MappingTarget[]): AbsentValues =>
  Object.fromEntries(
    mapped.flatMap(({ message, signal, name, factor, offset }): [string, AbsentValue][] => {
      const none = message.isJ1939 ? absentRawValues(signal) : undefined;
      if (none === undefined) return [];
      return [
        [
          name,
          { first: none.first, factor: signal.factor * factor, offset: signal.offset * factor + offset },
        ],
      ];
    }),
  );

/** Returns whether a value, raw x factor + offset, is absent. Tolerates half a raw value, because the logger uses 32-bit floats. */
export const isAbsent = (value: number, { first, factor, offset }: AbsentValue): boolean =>
  (value - offset) / factor > first - 0.5;
