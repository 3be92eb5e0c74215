import type { LoggerHealth } from '#shared/contract/writers.ts';
import { dateAndTime, fileSize, plainNumber } from '#shared/domain/nl.ts';
import styles from './logger-panel.module.css';

type UndecodedFilesProps = { readonly undecoded: LoggerHealth['undecoded'] };

/** The logger's files of kinds that the portal does not read, newest first; nothing while there are none. */
export function UndecodedFiles({ undecoded: { count, files } }: UndecodedFilesProps) {
  if (count === 0) return null;
  return (
    <details className={styles.quarantine}>
      <summary>Bewaard, niet gedecodeerd: {countInWords(count, files.length)}</summary>
      <p>Dit soort bestand wordt nog niet gelezen.</p>
      <ul className={styles.files} aria-label="Bewaard, niet gedecodeerd">
        {files.map(({ name, size, at }) => (
          <li key={`${name} ${at}`}>
            <strong>{name}</strong>
            <span>
              {dateAndTime(Date.parse(at))} · {fileSize(size)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** '1 bestand', '12 bestanden', '300 bestanden, de laatste 20'. */
export function countInWords(count: number, shown: number): string {
  const all = count === 1 ? '1 bestand' : `${plainNumber(count)} bestanden`;
  return count > shown ? `${all}, de laatste ${shown}` : all;
}
