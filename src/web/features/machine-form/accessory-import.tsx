import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import { importedAccessories } from '#shared/domain/accessories.ts';
import type { Accessory } from '#shared/domain/live.ts';
import { call, failureText } from '#web/lib/api.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import styles from './accessory-import.module.css';
import { MachineSelect } from './machine-select.tsx';

type AccessoryImportProps = {
  readonly machines: readonly MachineListEntry[];
  readonly onImport: (accessories: readonly Accessory[]) => void;
};

/** Another machine's accessories in place of the list (MEDIT-04). */
export function AccessoryImport({ machines, onImport }: AccessoryImportProps) {
  const [from, setFrom] = useState('');
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (serial: string) => call('GET /api/machine/get', { query: { merk: serial } }),
    onSuccess: ({ hulpstukken }) => onImport(importedAccessories(hulpstukken)),
  });
  const count = data && importedAccessories(data.hulpstukken).length;
  return (
    <div className={styles.import}>
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
      <div className={styles.outcome}>
        <p role="status">
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
