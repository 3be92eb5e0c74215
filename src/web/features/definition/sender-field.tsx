import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useId } from 'react';
import type { SeenJ1939Sources } from '#shared/contract/definition.ts';
import { sourceAddressText } from '#shared/domain/j1939.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { type DraftRow, sourceAddressError } from './mapping-draft.ts';
import styles from './mapping-row.module.css';
import type { IndexedSignal } from './signal-index.ts';

type SenderFieldProps = {
  readonly row: DraftRow;
  /** The name of the signal, for a screen reader. */
  readonly of: string;
  /** The row's signal in the DBC files; undefined if they do not have it. */
  readonly found: IndexedSignal | undefined;
  readonly seen: SeenJ1939Sources | null;
  readonly onChange: (change: Partial<DraftRow>) => void;
};

/** Field for the sender of a J1939 message that feeds a signal. It offers the addresses found in log files. */
export function SenderField({ row, of, found, seen, onChange }: SenderFieldProps) {
  const { sender = '', to } = row;
  const listId = useId();
  const message = seen?.messages.find(
    ({ bus, identifier }) => bus === found?.bus && identifier === found.identifier,
  );
  const sources = message?.sources ?? [];
  const held = seen?.held.find(({ name }) => name === to)?.source;
  const isOpen = sender.trim() === '' && sources.length > 1;
  return (
    <>
      <TextInput
        className={styles.sender}
        label="Afzender"
        aria-label={`Afzender voor ${of}`}
        description="Adres zoals F4; leeg is de eerste die antwoordt"
        placeholder={held === undefined ? 'eerste die antwoordt' : `nu ${sourceAddressText(held)}`}
        size="md"
        list={listId}
        autoComplete="off"
        spellCheck={false}
        maxLength={4}
        value={sender}
        error={sourceAddressError(sender)}
        onChange={({ currentTarget }) => onChange({ sender: currentTarget.value })}
      />
      <datalist id={listId}>
        {sources.map(({ source, frames }) => (
          <option key={source} value={sourceAddressText(source)}>
            {formatNumber(frames)} berichten
          </option>
        ))}
      </datalist>
      {isOpen && (
        <p className={`${styles.warning} block pl-3 small tight`}>
          Let op: {sources.map(({ source }) => sourceAddressText(source)).join(', ')} sturen dit bericht
          {held !== undefined &&
            `; de waarde komt nu van ${sourceAddressText(held)}, tot die 5 minuten zwijgt`}
          . Kies een afzender.
        </p>
      )}
    </>
  );
}

type AbsentNoteProps = { readonly to: string; readonly seen: SeenJ1939Sources | null };

/** Shows for example '3.412 keer niet beschikbaar, 2 keer fout in de logbestanden'; nothing if no value was absent. */
export function AbsentValuesNote({ to, seen }: AbsentNoteProps) {
  const absent = seen?.absent.find(({ name }) => name === to);
  if (!absent) return null;
  return <p className={styles.note}>{absentCountsText(absent)} in de logbestanden</p>;
}

/** Returns for example '3.412 keer niet beschikbaar, 2 keer fout'. */
export const absentCountsText = ({
  notAvailable,
  errors,
}: Pick<SeenJ1939Sources['absent'][number], 'notAvailable' | 'errors'>): string =>
  [
    notAvailable > 0 && `${formatNumber(notAvailable)} keer niet beschikbaar`,
    errors > 0 && `${formatNumber(errors)} keer fout`,
  ]
    .filter(Boolean)
    .join(', ');
