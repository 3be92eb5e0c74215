import { NativeSelect } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useEffect, useState } from 'react';
import { formatBitRate, formatExactNumber } from '#shared/domain/nl.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { NumberField } from '#web/ui/number-field.tsx';
import styles from './bus-panel.module.css';

/** Common bit rates of CAN buses in machines, in bit/s. The user chooses, because a DBC file does not contain the bit rate. */
const COMMON_BITRATES: readonly number[] = [125_000, 250_000, 500_000, 1_000_000];
export const DEFAULT_BITRATE = 250_000;

const kilobits = (bitrate: number): string => formatExactNumber(bitrate / 1000);

const OTHER = 'other';
const KILOBITS = { dot: 'decimal' } as const;

type BitrateFieldProps = {
  readonly bus: number;
  /** The stored bit rate, in bit/s. */
  readonly bitrate: number;
  /**
   * Called with the chosen bit rate in bit/s; with undefined while the typed text is invalid. Must be the same function
   * in each render.
   */
  readonly onChange: (bitrate: number | undefined) => void;
};

/** Field for the bit rate of a bus: a common one, or another one typed in kbit/s. */
export function BitrateField({ bus, bitrate, onChange }: BitrateFieldProps) {
  const [choice, setChoice] = useState(choiceOf(bitrate));
  const [typed, setTyped] = useState(kilobits(bitrate));
  // Shows a newly stored bit rate instead of the one that the user chose before.
  useEffect(() => {
    setChoice(choiceOf(bitrate));
    setTyped(kilobits(bitrate));
    onChange(bitrate);
  }, [bitrate, onChange]);

  const choose = (value: string): void => {
    setChoice(value);
    onChange(value === OTHER ? readBitrate(typed) : Number(value));
  };
  return (
    <div className={`${styles.bitrate} halves top`}>
      <NativeSelect
        label="Snelheid"
        aria-label={`Snelheid van CAN-bus ${bus}`}
        size="md"
        value={choice}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {COMMON_BITRATES.map((common) => (
          <option key={common} value={common}>
            {formatBitRate(common)}
          </option>
        ))}
        <option value={OTHER}>Anders</option>
      </NativeSelect>
      {choice === OTHER && (
        <NumberField
          label="In kbit/s"
          aria-label={`Snelheid van CAN-bus ${bus} in kbit/s`}
          unit="kbit/s"
          rules={KILOBITS}
          maxLength={8}
          value={typed}
          error={readBitrate(typed) === undefined ? '10 tot 1000' : undefined}
          onChange={(value) => {
            setTyped(value);
            onChange(readBitrate(value));
          }}
        />
      )}
    </div>
  );
}

const choiceOf = (bitrate: number): string => (COMMON_BITRATES.includes(bitrate) ? String(bitrate) : OTHER);

/** Parses a bit rate typed in kbit/s ('83,333') to bit/s; undefined outside 10 to 1000 kbit/s, which the server accepts. */
export function readBitrate(text: string): number | undefined {
  const bitrate = Math.round((parseTypedNumber(text, KILOBITS) ?? Number.NaN) * 1000);
  return bitrate >= 10_000 && bitrate <= 1_000_000 ? bitrate : undefined;
}
