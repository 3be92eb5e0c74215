import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { type FormEvent, type RefObject, useState } from 'react';
import { type DraftRow, emptyRow, type MappingDraft, ownNameFault } from './mapping-draft.ts';
import styles from './own-name-form.module.css';

type OwnNameFormProps = {
  readonly draft: MappingDraft;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onAdd: (row: DraftRow) => void;
};

/** Adds a row with a name of one's own. */
export function OwnNameForm({ draft, input, onAdd }: OwnNameFormProps) {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string>();
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = ownNameFault(name, draft);
    setFault(wrong);
    if (wrong !== undefined) return;
    onAdd(emptyRow(name.trim()));
    setName('');
  };
  return (
    <form className={styles.form} onSubmit={add} noValidate>
      <TextInput
        ref={input}
        label="Nieuwe naam"
        placeholder="Olietemperatuur"
        size="md"
        autoComplete="off"
        spellCheck={false}
        value={name}
        error={fault}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" variant="default" size="md">
        Voeg naam toe
      </Button>
    </form>
  );
}
