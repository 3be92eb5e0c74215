import type { ReactNode } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { MACHINE_ROW_REM, MachineRow } from './machine-row.tsx';
import styles from './spot-popup.module.css';

type SpotPopupProps = {
  readonly entries: readonly LiveEntry[];
  readonly now: number;
  readonly onChoose: (serialNumber: string) => void;
};

const keyOf = ({ metadata }: LiveEntry): string => metadata.serialNumber;

/** Popup that lists the machines at one spot; each opens its own popup. */
export const SpotPopup = ({ entries, now, onChoose }: SpotPopupProps): ReactNode => (
  <section className={styles.popup}>
    <h2 className={`${styles.title} medium bold line-below`}>{formatNumber(entries.length)} machines hier</h2>
    <div className={styles.list}>
      <RowList items={entries} keyOf={keyOf} rowRem={MACHINE_ROW_REM}>
        {(entry) => <MachineRow entry={entry} now={now} onChoose={() => onChoose(keyOf(entry))} />}
      </RowList>
    </div>
  </section>
);
