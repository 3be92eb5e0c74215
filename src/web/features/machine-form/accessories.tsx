import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { MachineDetails, MachineListEntry } from '#shared/contract/machines.ts';
import {
  type Accessory,
  addAccessory,
  importedAccessories,
  removeAccessory,
} from '#shared/domain/accessories.ts';
import { callApi, failureText } from '#web/lib/api.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import styles from './accessories.module.css';
import { accessoriesIn, type TypedAccessory } from './machine-fields.ts';
import { MachineSelect } from './machine-select.tsx';

type AccessoryFields = TypedAccessory & { readonly accessories: readonly Accessory[] };

type AccessoryEditorProps = {
  readonly fields: AccessoryFields;
  readonly onChange: (change: Partial<AccessoryFields>) => void;
};

/**
 * List 'Hulpstuk Lijst', with inputs that add an accessory. An error in these inputs does not prevent a save
 * (MEDIT-03).
 */
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
  /** Adds the accessory on Enter, instead of sending the form. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };

  return (
    <fieldset>
      <legend>Hulpstuk Lijst</legend>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard. */}
      <section ref={panel} className={styles.panel} aria-label="Hulpstukken" tabIndex={0}>
        {accessories.length === 0 && (
          <p className={`${styles.empty} quiet centred`}>Deze machine heeft nog geen hulpstukken.</p>
        )}
        <ul className={styles.list}>
          {accessories.map(({ name, number }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two accessories may be equal.
            <li key={at}>
              <span className="wrap">{name}</span>
              <span className="quiet">{number}</span>
              <DeleteButton word="Delete" of={`hulpstuk ${name}`} look="icon" onClick={() => remove(at)} />
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
        <NumberField
          label="Nummer"
          name="hulpstuknummer"
          inputMode="numeric"
          maxLength={16}
          rules={{ isSigned: true }}
          value={accessoryNumber}
          onChange={(typed) => onChange({ accessoryNumber: typed })}
          onKeyDown={onKeyDown}
        />
        <Button variant="default" size="md" className={styles.add} onClick={add}>
          Voeg Hulpstuk Toe
        </Button>
      </div>
      <p role="alert" className={`${styles.problem} alarming`}>
        {problem}
      </p>
    </fieldset>
  );
}

type AccessoryImportProps = {
  readonly machines: readonly MachineListEntry[];
  readonly onImport: (accessories: readonly Accessory[]) => void;
};

const importedFrom = (answer: MachineDetails['hulpstukken']) => importedAccessories(accessoriesIn(answer));

/** Replaces the list by the accessories of another machine (MEDIT-04). */
export function AccessoryImport({ machines, onImport }: AccessoryImportProps) {
  const [from, setFrom] = useState('');
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (serial: string) => callApi('GET /api/machine/get', { query: { merk: serial } }),
    onSuccess: ({ hulpstukken }) => onImport(importedFrom(hulpstukken)),
  });
  const count = data && importedFrom(data.hulpstukken).length;
  return (
    <div className={`${styles.import} beside-end gap-2 bottom`}>
      <MachineSelect
        label="Hulpstukken overnemen van"
        name="hulpstuk_machine"
        placeholder="Kies een machine"
        machines={machines}
        value={from}
        onChange={setFrom}
      />
      <BusyButton
        variant="default"
        isBusy={isPending}
        disabled={from === ''}
        onClick={() => isPending || mutate(from)}
      >
        Importeer
      </BusyButton>
      <div className="across">
        <p className="quiet small" role="status">
          {count !== undefined &&
            !isPending &&
            `De lijst is vervangen door ${count} hulpstuk${count === 1 ? '' : 'ken'}.`}
        </p>
        <FailureAlert>
          {error ? failureText(error, 'De hulpstukken zijn niet geladen.') : undefined}
        </FailureAlert>
      </div>
    </div>
  );
}
