import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import { CardActions, CardTitle } from '#web/ui/card-list.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import styles from './machine-card.module.css';

type MachineCardProps = {
  readonly machine: MachineListEntry;
  /** Asks whether to delete; undefined for who may not. */
  readonly onDelete: (() => void) | undefined;
};

/** Model, name, serial number, brand and company; the whole card leads to the machine (MLIST-01, MLIST-02). */
export function MachineCard({ machine, onDelete }: MachineCardProps) {
  const { model, alias, brand, serialNumber, cleanorg } = machine;
  const path = encodeURIComponent(serialNumber);
  return (
    <>
      <CardTitle to={`/machine/${path}`} label={`${model}, ${alias}, ${serialNumber}`}>
        {model}
      </CardTitle>
      <p className={styles.alias}>{alias}</p>
      <p>#{serialNumber}</p>
      <p>{brand}</p>
      <p>{cleanorg}</p>
      {onDelete && (
        <CardActions>
          <Button
            component={Link}
            to={`/machine/edit/${path}`}
            variant="default"
            size="md"
            aria-label={`Edit ${alias}`}
          >
            Edit
          </Button>
          <DeleteButton of={alias} onClick={onDelete} />
        </CardActions>
      )}
    </>
  );
}
