import { NativeSelect } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useEffect, useState } from 'react';
import { bitRate, exactNumber } from '#shared/domain/nl.ts';
import { readNumber } from '#shared/domain/typed-number.ts';
import { NumberField } from '#web/ui/number-field.tsx';
import styles from './bus-panel.module.css';

/** Bit rates that machines have, in bit/s, and a free one. A DBC does not say which. */
const COMMON_BITRATES: readonly number[] = [125_000, 250_000, 500_000, 1_000_000];
export const DEFAULT_BITRATE = 250_000;

const kilobits = (bitrate: number): string => exactNumber(bitrate / 1000);

const OTHER = 'other';
const KILOBITS = { dot: 'decimal' } as const;

type BitrateFieldProps = {
  readonly bus: number;
  /** bit/s, as it is stored. */
  readonly bitrate: number;
  /** bit/s as chosen; undefined while what is typed is none. The same function always. */
  readonly onChange: (bitrate: number | undefined) => void;
};

/** The bit rate of a bus: one of the common ones, or a free one in kbit/s. */
export function BitrateField({ bus, bitrate, onChange }: BitrateFieldProps) {
  const [choice, setChoice] = useState(choiceOf(bitrate));
  const [typed, setTyped] = useState(kilobits(bitrate));
  // Another stored bit rate begins anew.
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
    <div className={styles.bitrate}>
      <NativeSelect
        label="Snelheid"
        aria-label={`Snelheid van CAN-bus ${bus}`}
        size="md"
        value={choice}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {COMMON_BITRATES.map((common) => (
          <option key={common} value={common}>
            {bitRate(common)}
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

/** kbit/s as typed ('83,333') in bit/s; undefined outside of what the portal takes: 10 to 1000 kbit/s. */
export function readBitrate(text: string): number | undefined {
  const bitrate = Math.round((readNumber(text, KILOBITS) ?? Number.NaN) * 1000);
  return bitrate >= 10_000 && bitrate <= 1_000_000 ? bitrate : undefined;
}
