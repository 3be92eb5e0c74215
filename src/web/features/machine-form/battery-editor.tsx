import { Button } from '@mantine/core';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import styles from './battery-editor.module.css';
import { isWrongCapacity } from './machine-fields.ts';

const MOST = 8;

type BatteryEditorProps = {
  /** Capacity of each battery in kWh, as typed. */
  readonly capacities: readonly string[];
  /** Error about the first invalid capacity. */
  readonly error: string | undefined;
  readonly onChange: (capacities: readonly string[]) => void;
};

/** Fields for the capacity of each battery, in the order of Soc1, Soc2 … (MEDIT-14). */
export function BatteryEditor({ capacities, error, onChange }: BatteryEditorProps) {
  const list = useRef<HTMLDivElement>(null);
  /** Changes the list and moves the focus to the input at index `focusAt`, or to the add button if there is none. */
  const change = (next: readonly string[], focusAt: number): void => {
    flushSync(() => onChange(next));
    const inputs = list.current!.querySelectorAll<HTMLElement>('input');
    (inputs[focusAt] ?? list.current!.querySelector<HTMLElement>('button[data-add]'))?.focus();
  };
  return (
    <fieldset>
      <legend>Accu's</legend>
      <p className="mb-2 quiet small">De capaciteit van elke accu in kWh. Leeg als die niet bekend is.</p>
      <div ref={list} className={`${styles.list} tiles gap-3 top`}>
        {capacities.map((capacity, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a battery's number identifies it.
          <div key={at} className={`${styles.battery} beside-end gap-1 top`}>
            <NumberField
              label={`Accu ${at + 1}`}
              aria-label={`Capaciteit van accu ${at + 1} in kWh`}
              unit="kWh"
              rightSection="kWh"
              rightSectionWidth="3.25rem"
              name="batteries"
              error={error !== undefined && isWrongCapacity(capacity) ? error : undefined}
              maxLength={12}
              value={capacity}
              onChange={(value) => onChange(capacities.map((old, index) => (index === at ? value : old)))}
            />
            <DeleteButton
              of={`accu ${at + 1}`}
              look="icon"
              onClick={() =>
                change(
                  capacities.filter((_, index) => index !== at),
                  Math.min(at, capacities.length - 2),
                )
              }
            />
          </div>
        ))}
        {capacities.length < MOST && (
          <Button
            data-add
            variant="default"
            size="md"
            className={styles.add}
            onClick={() => change([...capacities, ''], capacities.length)}
          >
            Voeg Accu Toe
          </Button>
        )}
      </div>
    </fieldset>
  );
}
