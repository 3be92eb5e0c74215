import type { LoggerHealth } from '#shared/contract/writers.ts';
import { dateAndTime, plainNumber } from '#shared/domain/nl.ts';
import styles from './quarantine-list.module.css';

type QuarantineListProps = { readonly quarantine: LoggerHealth['quarantine'] };

/** What the logger delivered and what could not become history, newest first. */
export function QuarantineList({ quarantine }: QuarantineListProps) {
  return (
    <details className={styles.details}>
      <summary>
        In quarantaine: {quarantine.length === 1 ? '1 bestand' : `de laatste ${quarantine.length} bestanden`}
      </summary>
      <ul className={styles.list}>
        {quarantine.map(({ key, receivedAt, reason, size }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a logger may repeat a file in the same second.
          <li key={`${receivedAt} ${key} ${at}`}>
            <strong>{reason}</strong>
            <span>{key}</span>
            <span>
              {dateAndTime(Date.parse(receivedAt))} · {plainNumber(size)} bytes
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
