import { NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useEffect, useState } from 'react';
import { bitrateText, COMMON_BITRATES, readBitrate } from './bitrate.ts';
import styles from './bitrate-field.module.css';

const OTHER = 'other';

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
    <div className={styles.fields}>
      <NativeSelect
        label="Snelheid"
        aria-label={`Snelheid van CAN-bus ${bus}`}
        size="md"
        value={choice}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {COMMON_BITRATES.map((common) => (
          <option key={common} value={common}>
            {bitrateText(common)}
          </option>
        ))}
        <option value={OTHER}>Anders</option>
      </NativeSelect>
      {choice === OTHER && (
        <TextInput
          label="In kbit/s"
          aria-label={`Snelheid van CAN-bus ${bus} in kbit/s`}
          size="md"
          inputMode="decimal"
          autoComplete="off"
          maxLength={8}
          value={typed}
          error={readBitrate(typed) === undefined ? '10 tot 1000' : undefined}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            onChange(readBitrate(value));
          }}
        />
      )}
    </div>
  );
}

const choiceOf = (bitrate: number): string => (COMMON_BITRATES.includes(bitrate) ? String(bitrate) : OTHER);
const kilobits = (bitrate: number): string => String(bitrate / 1000).replace('.', ',');
