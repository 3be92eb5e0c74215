import { Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { addAccessory, removeAccessory } from '#shared/domain/accessories.ts';
import type { Accessory } from '#shared/domain/live.ts';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import styles from './accessory-editor.module.css';

export type AccessoryFields = {
  readonly accessories: readonly Accessory[];
  readonly accessoryName: string;
  readonly accessoryNumber: string;
};

type AccessoryEditorProps = {
  readonly fields: AccessoryFields;
  readonly onChange: (change: Partial<AccessoryFields>) => void;
};

/** 'Hulpstuk Lijst' with its inputs. Nothing in it keeps the form from being sent (MEDIT-03). */
export function AccessoryEditor({ fields, onChange }: AccessoryEditorProps) {
  const { accessories, accessoryName, accessoryNumber } = fields;
  const nameInput = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);
  const [problem, setProblem] = useState<string>();

  const add = (): void => {
    const longer = addAccessory(accessories, accessoryName, accessoryNumber);
    if (longer === undefined) {
      setProblem('Het nummer is een geheel getal, zoals 12.');
      return;
    }
    setProblem(undefined);
    nameInput.current?.focus();
    // A blank name is ignored.
    if (longer === accessories) return;
    flushSync(() => onChange({ accessories: longer, accessoryName: '', accessoryNumber: '' }));
    panel.current?.scrollTo({ top: panel.current.scrollHeight });
  };
  const remove = (at: number): void => {
    flushSync(() => onChange({ accessories: removeAccessory(accessories, at) }));
    const bins = panel.current!.querySelectorAll('button');
    (bins[Math.min(at, bins.length - 1)] ?? nameInput.current)?.focus();
  };
  /** Enter adds, and sends nothing. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };

  return (
    <fieldset className={styles.editor}>
      <legend>Hulpstuk Lijst</legend>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard too. */}
      <section ref={panel} className={styles.panel} aria-label="Hulpstukken" tabIndex={0}>
        {accessories.length === 0 && <p className={styles.empty}>Deze machine heeft nog geen hulpstukken.</p>}
        <ul className={styles.list}>
          {accessories.map(({ naam, nummer }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal.
            <li key={at}>
              <span className={styles.name}>{naam}</span>
              <span className={styles.number}>{nummer}</span>
              <DeleteButton of={`hulpstuk ${naam}`} look="icon" onClick={() => remove(at)} />
            </li>
          ))}
        </ul>
      </section>
      <div className={styles.inputs}>
        <TextInput
          ref={nameInput}
          label="Naam hulpstuk"
          name="hulpstuk"
          size="md"
          autoComplete="off"
          maxLength={100}
          value={accessoryName}
          onChange={({ currentTarget }) => onChange({ accessoryName: currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        <TextInput
          label="Nummer"
          name="hulpstuknummer"
          size="md"
          inputMode="numeric"
          autoComplete="off"
          maxLength={16}
          value={accessoryNumber}
          onChange={({ currentTarget }) => onChange({ accessoryNumber: currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        <Button variant="default" size="md" className={styles.add!} onClick={add}>
          Voeg Hulpstuk Toe
        </Button>
      </div>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
    </fieldset>
  );
}
