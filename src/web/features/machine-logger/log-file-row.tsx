import { Button } from '@mantine/core';
import type { LogFile } from '#shared/contract/log-files.ts';
import { dateAndTime, formatFileSize, formatNumber } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { failureText } from '#web/lib/api.ts';
import { useChange } from '#web/queries/use-change.ts';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import {
  busesText,
  missingSignalsText,
  periodText,
  signalsText,
  unknownIdentifiersText,
} from './log-file-text.ts';
import styles from './log-files-panel.module.css';

/** Returns the path of the page that shows a range of the history. */
export type HistoryPath = (range: TimeRange) => string;

type LogFileRowProps = {
  readonly serial: string;
  readonly file: LogFile;
  readonly historyPath: HistoryPath | undefined;
};

/** Two table rows of a log file: its properties, and below those its result and actions. On a phone the rows are a card. */
export function LogFileRow({ serial, file, historyPath }: LogFileRowProps) {
  const { id, name, loggerSerial, size, at, isByHand, summary, result, canDecode, isWithheld } = file;
  const { mutate: decode, isPending, error } = useChange('POST /api/machine/log-file/decode');
  const range = readingRangeOfFile(file);
  const missing = summary && missingSignalsText(summary);
  const buses = summary && busesText(summary);
  return (
    <tbody>
      <tr>
        <th scope="row">
          <span className={styles.name}>{name}</span>
          <span className={`${styles.quiet} quiet small`}>
            {isByHand ? 'geüpload' : `van logger ${loggerSerial}`}, {dateAndTime(Date.parse(at))}
          </span>
        </th>
        <td data-label="Grootte">{formatFileSize(size)}</td>
        <td data-label="Periode">{summary ? periodText(summary) : '--'}</td>
        <td data-label="Frames">{summary ? formatNumber(summary.frames) : '--'}</td>
        <td data-label="Onbekende identifiers">{summary ? unknownIdentifiersText(summary) : '--'}</td>
        <td data-label="Signalen gevonden">{summary ? signalsText(summary) : '--'}</td>
      </tr>
      <tr className={styles.below}>
        <td colSpan={6}>
          <p>{result}</p>
          {missing && <p className={`${styles.quiet} quiet small`}>{missing}</p>}
          {buses && <p className={`${styles.quiet} quiet small`}>{buses}</p>}
          {!isWithheld && (
            <div className="cluster gap-2-6">
              {range && historyPath && (
                <TextLink to={historyPath(range)} label={`Bekijk deze periode: ${name}`}>
                  Bekijk deze periode
                </TextLink>
              )}
              <a
                className="text-link"
                href={`/api/machine/log-file/${encodeURIComponent(serial)}/${id}`}
                download={name}
                aria-label={`Download ${name}`}
              >
                Download
              </a>
              {canDecode && (
                <Button
                  variant="default"
                  size="md"
                  aria-label={`Decodeer opnieuw: ${name}`}
                  aria-disabled={isPending || undefined}
                  onClick={() => isPending || decode({ body: { serial, id } })}
                >
                  {isPending ? 'Wordt gedecodeerd' : 'Decodeer opnieuw'}
                </Button>
              )}
            </div>
          )}
          <FailureAlert>
            {error ? failureText(error, 'Het decoderen is niet gelukt. Probeer het opnieuw.') : undefined}
          </FailureAlert>
        </td>
      </tr>
    </tbody>
  );
}

/** Returns the range in which a file has readings; undefined without readings. */
export function readingRangeOfFile({ summary }: Pick<LogFile, 'summary'>): TimeRange | undefined {
  if (summary === null || summary.from === null || summary.to === null) return undefined;
  if (summary.mapped > 0 && summary.found === 0) return undefined;
  return { from: Date.parse(summary.from), to: Date.parse(summary.to) };
}
