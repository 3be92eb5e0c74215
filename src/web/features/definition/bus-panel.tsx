import { useEffect } from 'react';
import type { DefinitionBus } from '#shared/contract/definition.ts';
import { Panel } from '#web/ui/panel.tsx';
import { BusCard } from './bus-card.tsx';
import type { DbcUpload } from './definition-queries.ts';
import type { ChooseJ1939 } from './j1939-field.tsx';

const BUSES = [0, 1, 2, 3] as const;

type BusPanelProps = {
  readonly buses: readonly DefinitionBus[];
  readonly onUpload: (upload: DbcUpload, onProgress: (done: number) => void) => Promise<void>;
  readonly onJ1939: (bus: number, ...choice: Parameters<ChooseJ1939>) => Promise<void>;
  /** Opens the dialog that confirms the deletion. */
  readonly onDelete: (bus: number) => void;
};

/** Panel with a card for each CAN bus of the logger. */
export function BusPanel({ buses, onUpload, onJ1939, onDelete }: BusPanelProps) {
  useEffect(preventOpeningOfDroppedFiles, []);
  return (
    <Panel title="DBC-bestanden">
      <p>
        Een DBC-bestand beschrijft welke signalen de machine op een CAN-bus zet. De logger heeft vier bussen;
        de meeste machines gebruiken er één of twee. Kanaal 1 en 2 van een CANedge zijn CAN-bus 1 en 2.
      </p>
      <ul className="fields-wide">
        {BUSES.map((bus) => (
          <li className="stack gap-0 shrink" key={bus}>
            <BusCard
              bus={bus}
              file={buses.find((one) => one.bus === bus)}
              onUpload={onUpload}
              onJ1939={(...choice) => onJ1939(bus, ...choice)}
              onDelete={() => onDelete(bus)}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/**
 * Prevents the browser from leaving the page to show a file that the user drops beside a card. Returns a function that removes the
 * listeners.
 */
export function preventOpeningOfDroppedFiles(): () => void {
  const stop = (event: DragEvent): void => event.preventDefault();
  window.addEventListener('dragover', stop);
  window.addEventListener('drop', stop);
  return () => {
    window.removeEventListener('dragover', stop);
    window.removeEventListener('drop', stop);
  };
}
