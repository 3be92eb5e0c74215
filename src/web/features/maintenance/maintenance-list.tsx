import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { MaintenanceItem } from '#shared/contract/fleet-maintenance.ts';
import { dueText, intervalText } from '#shared/domain/maintenance.ts';
import { dutchDate, formatDecimals } from '#shared/domain/nl.ts';
import { CardActions, CardList } from '#web/ui/card-list.tsx';
import styles from './maintenance-page.module.css';
import { expectedText } from './maintenance-text.ts';

type ListProps = {
  readonly items: readonly MaintenanceItem[];
  /** Undefined if the user may not record maintenance. */
  readonly onDone: ((item: MaintenanceItem) => void) | undefined;
};

const machinePath = ({ serial }: MaintenanceItem): string => `/machine/${encodeURIComponent(serial)}`;
const lastText = ({ lastDay, lastHours }: MaintenanceItem): string =>
  `${dutchDate(lastDay)}, bij ${formatDecimals(lastHours, 1, 0)} uur`;
const modelOf = ({ brand, model, serial }: MaintenanceItem): string => `${brand} ${model}, ${serial}`;

/** Table of the maintenance tasks. */
export const MaintenanceTable = ({ items, onDone }: ListProps): ReactNode => (
  <table className={`${styles.table} surface full`}>
    <caption className="sr-only">Onderhoud</caption>
    <thead>
      <tr>
        <th scope="col">Machine</th>
        <th scope="col">Onderhoud</th>
        <th scope="col">Wanneer</th>
        <th scope="col">Laatst gedaan</th>
        {onDone && (
          <th scope="col">
            <span className="sr-only">Noteer</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {items.map((item) => (
        <tr key={item._id}>
          <th scope="row">
            <Link to={machinePath(item)}>{item.alias}</Link>
            <p className="quiet small tight">{modelOf(item)}</p>
          </th>
          <td>
            {item.planName}
            <p className="quiet small tight">{intervalText(item)}</p>
          </td>
          <td>
            <When item={item} />
          </td>
          <td>{lastText(item)}</td>
          {onDone && (
            <td>
              <DoneButton item={item} onDone={onDone} />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

/** Cards of the maintenance tasks, for screens on which the table does not fit. */
export const MaintenanceCards = ({ items, onDone }: ListProps): ReactNode => (
  <CardList label="Onderhoud" items={items} keyOf={({ _id }) => _id}>
    {(item) => (
      <>
        <h2 className="wrap">
          <Link to={machinePath(item)}>{item.alias}</Link>
        </h2>
        <p className="quiet small tight">{modelOf(item)}</p>
        <p>
          {item.planName} <span className="quiet small tight">{intervalText(item).toLowerCase()}</span>
        </p>
        <When item={item} />
        <p className="quiet small tight">Laatst op {lastText(item)}</p>
        {onDone && (
          <CardActions>
            <DoneButton item={item} onDone={onDone} />
          </CardActions>
        )}
      </>
    )}
  </CardList>
);

function When({ item }: { readonly item: MaintenanceItem }): ReactNode {
  const expected = expectedText(item);
  return (
    <>
      <p className="due" data-state={item.state}>
        {dueText(item)}
      </p>
      {expected !== undefined && <p className="quiet small tight">{expected}</p>}
    </>
  );
}

type DoneButtonProps = {
  readonly item: MaintenanceItem;
  readonly onDone: (item: MaintenanceItem) => void;
};

const DoneButton = ({ item, onDone }: DoneButtonProps): ReactNode => (
  <Button
    size="md"
    variant={item.state === 'ok' ? 'default' : 'filled'}
    aria-label={`Gedaan: ${item.planName}, ${item.alias}`}
    onClick={() => onDone(item)}
  >
    Gedaan
  </Button>
);
