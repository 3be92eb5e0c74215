import { NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import type { ChangeEvent } from 'react';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import type { Organization } from '#shared/contract/organizations.ts';
import { AccessoryEditor } from './accessory-editor.tsx';
import { AccessoryImport } from './accessory-import.tsx';
import { BatteryEditor } from './battery-editor.tsx';
import type { DraftRules, MachineDraft } from './machine-draft.ts';
import styles from './machine-fields.module.css';
import { MachineSelect } from './machine-select.tsx';

type MachineFieldsProps = {
  readonly draft: MachineDraft;
  readonly onChange: (change: Partial<MachineDraft>) => void;
  readonly rules: DraftRules;
  /** Functional and display names. */
  readonly owners: readonly Pick<Organization, 'name' | 'clean'>[];
  readonly machines: readonly MachineListEntry[];
};

type TextField = 'loggerSerial' | 'serial' | 'brand' | 'alias' | 'model' | 'macaddress' | 'hours';
const TEXT = {
  size: 'md',
  autoComplete: 'off',
  spellCheck: false,
  maxLength: 64,
  withAsterisk: false,
} as const;

/** All fields of a machine, under MEDIT-01's names (MEDIT-14). */
export function MachineFields({ draft, onChange, rules, owners, machines }: MachineFieldsProps) {
  const bind = (field: TextField) => ({
    ...TEXT,
    value: draft[field],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
      onChange({ [field]: currentTarget.value }),
  });
  return (
    <div className={styles.fields}>
      <NativeSelect
        className={styles.wide!}
        label="Organisatie"
        name="organization"
        required
        withAsterisk={false}
        size="md"
        value={draft.organization}
        onChange={({ currentTarget }) => onChange({ organization: currentTarget.value })}
      >
        <option value="">Kies Een Organisatie</option>
        {owners.map(({ name, clean }) => (
          <option key={name} value={name}>
            {clean}
          </option>
        ))}
      </NativeSelect>
      <TextInput
        {...bind('loggerSerial')}
        label="Influx serienummer"
        description="7 cijfers, op de logger"
        name="influx_Serienummer"
        inputMode="numeric"
        required={rules.isNew || rules.hasLogger}
      />
      <TextInput
        {...bind('serial')}
        label="Machine serienummer"
        description="Op de machine zelf"
        name="machine_Serienummer"
        required
      />
      <TextInput {...bind('brand')} label="Merk" name="machine_Merk" required />
      <TextInput {...bind('model')} label="Model" name="machine_Model" required />
      <TextInput {...bind('alias')} label="Naam" name="machine_Naam" required />
      <TextInput
        {...bind('macaddress')}
        label={rules.isNew ? 'MAC-adres' : 'MAC-adres (niet verplicht)'}
        name="macaddress"
        placeholder="000 00 AS0 A0000"
        required={rules.isNew}
      />
      <div className={styles.wide}>
        <MachineSelect
          label="Vergelijkbare Machine"
          name="dbc_machine"
          description={
            rules.isNew
              ? 'De logger krijgt een kopie van haar datadefinitie. Leeg: een eigen datadefinitie.'
              : 'Een andere keuze geeft de logger een kopie van haar datadefinitie.'
          }
          placeholder="Kies een machine"
          machines={machines}
          value={draft.reference}
          onChange={(reference) => onChange({ reference })}
        />
      </div>
      <TextInput
        {...bind('hours')}
        label="Urenstand bij aanvang"
        name="urenstand"
        inputMode="decimal"
        rightSection="uur"
        rightSectionWidth="3rem"
      />
      <div className={styles.wide}>
        <BatteryEditor capacities={draft.batteries} onChange={(batteries) => onChange({ batteries })} />
      </div>
      <div className={styles.wide}>
        <AccessoryImport machines={machines} onImport={(accessories) => onChange({ accessories })} />
      </div>
      <div className={styles.wide}>
        <AccessoryEditor fields={draft} onChange={onChange} />
      </div>
    </div>
  );
}
