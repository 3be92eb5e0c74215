import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '#shared/domain/nl.ts';
import { readQuery } from '#web/queries/read.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { type HistoryPath, LogFileRow } from './log-file-row.tsx';
import { LogFileUploads } from './log-file-uploads.tsx';
import styles from './log-files-panel.module.css';

/** Number of rows that are shown at first, and number of rows that the button adds. */
const FIRST = 20;
const MORE = 100;
/** The server returns at most this many rows. */
const MOST = 1_000;

const POLL_MS = 10_000;

type LogFilesPanelProps = {
  /** Serial number of the machine, or loggerid of the LMB logger, that the files belong to. */
  readonly serial: string;
  readonly historyPath?: HistoryPath;
};

/** Panel 'Logbestanden': lists the stored log files, and uploads files of an SD card. */
export function LogFilesPanel({ serial, historyPath }: LogFilesPanelProps) {
  const [most, setMost] = useState(FIRST);
  const query = useQuery({
    ...readQuery('GET /api/machine/log-file/:serial', { params: { serial }, query: { most } }),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  const { data, error } = query;
  return (
    <Panel title="Logbestanden">
      <LogFileUploads serial={serial} historyPath={historyPath} />
      <RetryAlert
        query={query}
        fallback={data ? 'De logbestanden zijn niet vernieuwd.' : 'De logbestanden zijn niet geladen.'}
      />
      {data === undefined && !error && <p role="status">De logbestanden worden geladen</p>}
      {data?.count === 0 && (
        <EmptyState title="Er zijn nog geen logbestanden">
          <p>Bestanden die de logger stuurt en bestanden die je hier plaatst blijven 30 dagen bewaard.</p>
        </EmptyState>
      )}
      {data !== undefined && data.count > 0 && (
        <div className={styles.sized}>
          <table className={`${styles.table} table`}>
            <caption className="sr-only">Logbestanden, de nieuwste eerst</caption>
            <thead>
              <tr>
                <th scope="col">Bestand</th>
                <th scope="col">Grootte</th>
                <th scope="col">Periode</th>
                <th scope="col">Frames</th>
                <th scope="col">Onbekende identifiers</th>
                <th scope="col">Signalen gevonden</th>
              </tr>
            </thead>
            {data.files.map((file) => (
              <LogFileRow key={file.id} serial={serial} file={file} historyPath={historyPath} />
            ))}
          </table>
        </div>
      )}
      {data !== undefined && data.files.length < data.count && (
        <div className={`${styles.more} cluster gap-3`}>
          <p>
            De nieuwste {formatNumber(data.files.length)} van {formatNumber(data.count)} bestanden.
          </p>
          {most < MOST && (
            <Button variant="default" size="md" onClick={() => setMost(Math.min(MOST, most + MORE))}>
              Toon meer
            </Button>
          )}
        </div>
      )}
    </Panel>
  );
}
