import { type ComboboxItem, type OptionsFilter, Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Popover.css';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import { searchByWords } from '#shared/domain/word-search.ts';
import styles from './machine-select.module.css';

type MachineSelectProps = {
  readonly label: string;
  readonly name: string;
  readonly description?: string;
  readonly placeholder: string;
  readonly error?: string | undefined;
  /** Message if no machine matches the typed words. */
  readonly nothingFound?: string;
  readonly machines: readonly MachineListEntry[];
  /** Serial number; '' for none. */
  readonly value: string;
  readonly onChange: (serial: string) => void;
};

/** The list shows at most this many options; the user finds others by typing more words. */
const MAX_OPTIONS = 50;
const byWords: OptionsFilter = ({ options, search }) =>
  searchByWords(options as ComboboxItem[], search, ({ label }) => label).slice(0, MAX_OPTIONS);

/** Field that chooses one of many machines, found by typing. */
export function MachineSelect({
  machines,
  value,
  onChange,
  label,
  nothingFound = 'Geen machine gevonden',
  ...props
}: MachineSelectProps) {
  return (
    <Select
      {...props}
      label={label}
      size="md"
      searchable
      clearable
      // Makes the button usable by keyboard and screen reader, from which Mantine hides it by default.
      clearButtonProps={{
        'aria-label': `${label} wissen`,
        'aria-hidden': false,
        tabIndex: 0,
        className: styles.clear!,
      }}
      withScrollArea={false}
      comboboxProps={{ withinPortal: false }}
      classNames={{ dropdown: styles.dropdown!, options: styles.options!, option: styles.option! }}
      nothingFoundMessage={nothingFound}
      filter={byWords}
      data={machines.map((machine) => ({ value: machine.serialNumber, label: machineText(machine) }))}
      value={value === '' ? null : value}
      onChange={(serial) => onChange(serial ?? '')}
    />
  );
}

/** Returns brand, model, alias and serial number. */
const machineText = ({ brand, model, alias, serialNumber }: MachineListEntry): string =>
  `${brand} ${model} · ${alias} (#${serialNumber})`;
