import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { TextLink } from '#web/ui/link.tsx';
import { ProgressBar } from '#web/ui/upload.tsx';
import { type QueuedFile, useLogFileQueue } from './log-file-queue.ts';
import { type HistoryPath, readingRangeOfFile } from './log-file-row.tsx';
import { contentText } from './log-file-text.ts';
import styles from './log-files-panel.module.css';

const ACCEPT = '.rxd,.mf4,.mdf,.asc,.blf,.trc,.log,.candump,.txt,.csv,.gpx,.gz';

type LogFileUploadsProps = { readonly serial: string; readonly historyPath: HistoryPath | undefined };

/** Area to drop or choose files of an SD card, with the progress and result of each. */
export function LogFileUploads({ serial, historyPath }: LogFileUploadsProps) {
  const { queued, enqueue } = useLogFileQueue(serial);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard. */}
      <div
        className={`${styles.drop} stack items-start p-4 rounded`}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          enqueue([...event.dataTransfer.files]);
        }}
      >
        <p>
          Heb je de SD-kaart van de logger in handen? Sleep de bestanden hierheen, of kies ze. Hun metingen
          komen in de geschiedenis.
        </p>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={ACCEPT}
          aria-label="Kies logbestanden"
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            enqueue(files);
          }}
        />
        <Button variant="default" size="md" onClick={() => input.current?.click()}>
          Kies logbestanden
        </Button>
      </div>
      {queued.length > 0 && (
        <ul className="stack wrap" aria-label="Geplaatste bestanden">
          {queued.map((one) => (
            <li key={one.key}>
              <strong>{one.name}</strong>
              <QueuedFileState queued={one} historyPath={historyPath} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type QueuedFileStateProps = { readonly queued: QueuedFile; readonly historyPath: HistoryPath | undefined };

function QueuedFileState({ queued: { name, state }, historyPath }: QueuedFileStateProps) {
  if (state.kind === 'waiting')
    return <p className={`${styles.quiet} quiet small`}>Wacht op het bestand ervoor</p>;
  if (state.kind === 'sending') {
    const { done } = state;
    return (
      <ProgressBar
        label={done < 1 ? `${name} wordt verstuurd` : `${name} wordt gedecodeerd`}
        done={done < 1 ? done : undefined}
      />
    );
  }
  if (state.kind === 'failed')
    return (
      <p role="alert" className="alarming">
        {state.why}
      </p>
    );
  const range = readingRangeOfFile(state.file);
  return (
    <>
      <p role="status">{contentText(state.file)}</p>
      {range && historyPath && (
        <TextLink to={historyPath(range)} label={`Bekijk deze periode: ${name}, geplaatst`}>
          Bekijk deze periode
        </TextLink>
      )}
    </>
  );
}
