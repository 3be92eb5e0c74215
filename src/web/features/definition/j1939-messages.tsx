import { Button } from '@mantine/core';
import { useState } from 'react';
import type { DefinitionBus } from '#shared/contract/definition.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import styles from './seen-panel.module.css';

type J1939MessagesProps = {
  readonly bus: number;
  readonly file: DefinitionBus;
  /** Identifiers of the chosen messages. */
  readonly chosen: readonly string[];
  readonly onChoose: (identifiers: readonly string[]) => void;
  readonly onClose: () => void;
};

/** Dialog with the messages of a bus that have a 29-bit identifier, in which the user ticks the J1939 messages. */
export function J1939Messages({ bus, file, chosen, onChoose, onClose }: J1939MessagesProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(chosen));
  const extended = file.messages.filter(({ identifier }) => identifier.length === EXTENDED_LENGTH);
  const tick = (identifier: string, isOn: boolean): void => {
    const next = new Set(ticked);
    if (isOn) next.add(identifier);
    else next.delete(identifier);
    setTicked(next);
  };
  return (
    <Dialog title={`J1939-berichten op CAN-bus ${bus}`} onClose={onClose} isWide>
      <DialogBody>
        {extended.length === 0 ? (
          <p>Dit bestand heeft geen berichten van 29 bits: J1939 kan hier niet.</p>
        ) : (
          <SearchedList
            items={extended}
            textOf={({ name, identifier, comment = '' }) => `${name} ${identifier} ${comment}`}
            label="Zoek een bericht"
            placeholder="Naam, nummer of toelichting"
            plural="berichten"
          >
            {(found) => (
              <ul className={`${styles.ticks} scroll wrap`}>
                {found.map(({ identifier, name }) => (
                  <li key={identifier}>
                    <TickBox
                      label={`${name} (${identifier})`}
                      checked={ticked.has(identifier)}
                      onChange={({ currentTarget }) => tick(identifier, currentTarget.checked)}
                    />
                  </li>
                ))}
              </ul>
            )}
          </SearchedList>
        )}
        <Button size="md" disabled={extended.length === 0} onClick={() => onChoose([...ticked])}>
          Bewaar keuze ({formatNumber(ticked.size)})
        </Button>
        <Button size="md" variant="default" onClick={onClose}>
          Annuleren
        </Button>
      </DialogBody>
    </Dialog>
  );
}

/** Length of a 29-bit identifier such as '0x18FF50E5'; 11-bit ones ('0x1F1') are shorter. */
const EXTENDED_LENGTH = 10;
