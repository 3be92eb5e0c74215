import { type DragEvent, useState } from 'react';
import type { DefinitionBus } from '#shared/contract/definition.ts';
import { formatBitRate, formatNumber } from '#shared/domain/nl.ts';
import { useUpload } from '#web/lib/upload.ts';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { FileButton, UploadState } from '#web/ui/upload.tsx';
import { BitrateField, DEFAULT_BITRATE } from './bitrate-field.tsx';
import styles from './bus-panel.module.css';
import type { DbcUpload } from './definition-queries.ts';
import { type ChooseJ1939, J1939Field } from './j1939-field.tsx';

const MAX_SIZE_BYTES = 4 * 1024 * 1024;
const DBC_ACCEPT = '.dbc,text/plain,application/octet-stream';
const NO_BITRATE = 'Vul eerst een snelheid in van 10 tot 1000 kbit/s.';

type BusCardProps = {
  readonly bus: number;
  readonly file: DefinitionBus | undefined;
  readonly onUpload: (upload: DbcUpload, onProgress: (done: number) => void) => Promise<void>;
  /** Called when the user chooses which messages are J1939; undefined while the bus has no file. */
  readonly onJ1939?: ChooseJ1939;
  readonly onDelete: () => void;
};

/** Card of one CAN bus: its bit rate and its DBC file, which the user replaces by choosing or dropping another file. */
export function BusCard({ bus, file, onUpload, onJ1939, onDelete }: BusCardProps) {
  const [bitrate, setBitrate] = useState<number | undefined>(file?.bitrate ?? DEFAULT_BITRATE);
  const [isOver, setIsOver] = useState(false);
  const upload = useUpload({
    check: (picked) => (bitrate === undefined ? NO_BITRATE : dbcFileError(picked)),
    send: async (picked, onProgress) => {
      if (bitrate === undefined) throw new Error('The bit rate is checked before.');
      await onUpload({ bus, bitrate, file: picked }, onProgress);
    },
    fallback: 'Het DBC-bestand is niet opgeslagen. Probeer het opnieuw.',
  });
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    const [picked] = event.dataTransfer.files;
    if (picked) upload.start(picked);
  };
  return (
    <section
      className={`${styles.card} stack framed content-top p-4`}
      data-over={isOver}
      aria-label={`CAN-bus ${bus}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        currentTarget.contains(relatedTarget as Node | null) || setIsOver(false)
      }
      onDrop={drop}
    >
      <div className={`${styles.title} row between`}>
        <h3 className="large">CAN-bus {bus}</h3>
        {file && <DeleteButton of={`het DBC-bestand van CAN-bus ${bus}`} onClick={onDelete} />}
      </div>
      {file ? <BusFacts file={file} isNew={upload.isDone} /> : <p className="quiet">Nog geen DBC-bestand</p>}
      <BitrateField bus={bus} bitrate={file?.bitrate ?? DEFAULT_BITRATE} onChange={setBitrate} />
      {file && bitrate !== file.bitrate && (
        <p className="quiet small">De snelheid wijzigt als je het DBC-bestand opnieuw uploadt.</p>
      )}
      {file && onJ1939 && <J1939Field bus={bus} file={file} onChoose={onJ1939} />}
      <UploadState upload={upload} what="Het DBC-bestand" />
      <div>
        <FileButton
          label={file ? `Vervang DBC van bus ${bus}` : `Upload DBC voor bus ${bus}`}
          accept={DBC_ACCEPT}
          isBusy={upload.isBusy}
          onPick={upload.start}
        />
        <p className={`${styles.drop} quiet pt-1 small centred`}>of sleep het bestand hierheen</p>
      </div>
    </section>
  );
}

type BusFactsProps = {
  readonly file: DefinitionBus;
  /** Whether the file was uploaded just now; the lists of its unreadable lines and its warnings are then open. */
  readonly isNew: boolean;
};

/** Shows the bit rate of a bus, how many messages and signals its DBC file has, its unreadable lines and its warnings. */
function BusFacts({ file: { name, bitrate, messages, unreadable, warnings }, isNew }: BusFactsProps) {
  const signals = messages.reduce((sum, message) => sum + message.signals.length, 0);
  return (
    <>
      <p className={`${styles.fileName} strong`}>{name}</p>
      <p className={`${styles.facts} quiet`}>
        {formatBitRate(bitrate)} · {counted(messages.length, 'bericht', 'berichten')} ·{' '}
        {counted(signals, 'signaal', 'signalen')}
      </p>
      <Findings title="Niet leesbaar" items={unreadable} isOpen={isNew} />
      <Findings
        title={counted(warnings.length, 'waarschuwing', 'waarschuwingen')}
        items={warnings}
        isOpen={isNew}
      />
    </>
  );
}

type FindingsProps = {
  readonly title: string;
  readonly items: readonly string[];
  readonly isOpen: boolean;
};

function Findings({ title, items, isOpen }: FindingsProps) {
  if (items.length === 0) return null;
  return (
    <details className={styles.warnings} open={isOpen}>
      <summary className="fold">{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard. */}
      <ul tabIndex={0}>
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two items may be equal.
          <li key={at}>{item}</li>
        ))}
      </ul>
    </details>
  );
}

const counted = (count: number, one: string, more: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : more}`;

/** Returns why a picked file cannot be uploaded, as a Dutch text. The server checks whether it is a DBC file. */
function dbcFileError({ name, size }: { readonly name: string; readonly size: number }): string | undefined {
  if (size === 0) return `${name} is leeg.`;
  return size > MAX_SIZE_BYTES ? 'Een DBC-bestand mag hoogstens 4 MB zijn.' : undefined;
}
