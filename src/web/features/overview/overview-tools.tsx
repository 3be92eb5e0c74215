import { NativeSelect } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import type { ReactNode } from 'react';
import type { FleetSort } from '#web/machines/fleet-filter.ts';
import { COLUMNS, type ColumnKey } from './fleet-row.ts';
import styles from './overview-page.module.css';

/** The sort orders that the select offers: the key in the address, and the label. */
const ORDERS: readonly (readonly [order: string, text: string])[] = [
  ['aandacht', 'Aandacht eerst'],
  ['-accu', 'Volste accu eerst'],
  ['accu', 'Leegste accu eerst'],
  ['werktijd', 'Kortste werktijd eerst'],
  ['-werktijd', 'Langste werktijd eerst'],
  ['genoeg', 'Eerst leeg'],
  ['laadtijd', 'Eerst vol'],
  ['-uren', 'Meest gedraaid vandaag'],
  ['-kwh', 'Meeste kWh vandaag'],
  ['machine', 'Naam'],
  ['status', 'Status'],
  ['plaats', 'Plaats'],
  ['afstand', 'Dichtstbij'],
  ['onderhoud', 'Onderhoud eerst nodig'],
  ['-gezien', 'Laatst gezien'],
  ['gezien', 'Langst niet gezien'],
];

type OrderChoiceProps = { readonly sort: FleetSort; readonly onSort: (sort: FleetSort) => void };

/** Select for the order, where the machines are shown as cards. */
export function OrderChoice({ sort, onSort }: OrderChoiceProps): ReactNode {
  const value = `${sort.isDescending ? '-' : ''}${sort.by}`;
  const label = COLUMNS.find(({ key }) => key === sort.by)?.label ?? '';
  return (
    <NativeSelect
      size="md"
      aria-label="Volgorde"
      value={value}
      onChange={({ currentTarget: { value: order } }) =>
        onSort({ by: order.replace('-', ''), isDescending: order.startsWith('-') })
      }
    >
      {!ORDERS.some(([order]) => order === value) && (
        <option value={value}>
          {label}, {sort.isDescending ? 'aflopend' : 'oplopend'}
        </option>
      )}
      {ORDERS.map(([order, text]) => (
        <option key={order} value={order}>
          {text}
        </option>
      ))}
    </NativeSelect>
  );
}

type ColumnChoiceProps = {
  readonly columns: readonly ColumnKey[];
  readonly onChange: (columns: readonly ColumnKey[]) => void;
};

/** Checkboxes for the columns of the table, except that of the machine, which is always shown. */
export function ColumnChoice({ columns, onChange }: ColumnChoiceProps): ReactNode {
  return (
    <details className={`${styles.choice} relative`}>
      <summary>Kolommen</summary>
      <fieldset>
        <legend className="sr-only">Kolommen van de tabel</legend>
        {COLUMNS.filter(({ key }) => key !== 'machine').map(({ key, label }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={columns.includes(key)}
              onChange={({ target }) =>
                onChange(target.checked ? [...columns, key] : columns.filter((one) => one !== key))
              }
            />
            {label}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
