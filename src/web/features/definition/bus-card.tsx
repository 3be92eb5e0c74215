import { type DragEvent, useState } from 'react';
import type { DefinitionBus } from '#shared/contract/definition.ts';
import { useUpload } from '#web/lib/use-upload.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { UploadState } from '#web/ui/upload-state.tsx';
import { DEFAULT_BITRATE } from './bitrate.ts';
import { BitrateField } from './bitrate-field.tsx';
import styles from './bus-card.module.css';
import { BusFacts } from './bus-facts.tsx';
import { DBC_ACCEPT, dbcFault } from './dbc-check.ts';
import type { DbcUpload } from './definition-calls.ts';

const NO_BITRATE = 'Vul eerst een snelheid in van 10 tot 1000 kbit/s.';

type BusCardProps = {
  readonly bus: number;
  readonly file: DefinitionBus | undefined;
  /** Entries of the saved mapping that come from this bus. */
  readonly mapped: number;
  readonly onUpload: (upload: DbcUpload, onProgress: (done: number) => void) => Promise<void>;
  readonly onDelete: (bus: number) => Promise<void>;
};

/** One CAN bus: its bit rate, its DBC file, and where another one is picked or dropped. */
export function BusCard({ bus, file, mapped, onUpload, onDelete }: BusCardProps) {
  const [bitrate, setBitrate] = useState<number | undefined>(file?.bitrate ?? DEFAULT_BITRATE);
  const [isOver, setIsOver] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const upload = useUpload({
    check: (picked) => (bitrate === undefined ? NO_BITRATE : dbcFault(picked)),
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
      className={styles.card}
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
      <div className={styles.title}>
        <h3>CAN-bus {bus}</h3>
        {file && <DeleteButton of={`het DBC-bestand van CAN-bus ${bus}`} onClick={() => setIsAsking(true)} />}
      </div>
      {file ? (
        <BusFacts file={file} isNew={upload.isDone} />
      ) : (
        <p className={styles.none}>Nog geen DBC-bestand</p>
      )}
      <BitrateField bus={bus} bitrate={file?.bitrate ?? DEFAULT_BITRATE} onChange={setBitrate} />
      {file && bitrate !== file.bitrate && (
        <p className={styles.hint}>De snelheid wijzigt als je het DBC-bestand opnieuw uploadt.</p>
      )}
      <UploadState upload={upload} what="Het DBC-bestand" />
      <div className={styles.pick}>
        <FileButton
          label={file ? `Vervang DBC van bus ${bus}` : `Upload DBC voor bus ${bus}`}
          accept={DBC_ACCEPT}
          isBusy={upload.isBusy}
          onPick={upload.start}
        />
        <p className={styles.drop}>of sleep het bestand hierheen</p>
      </div>
      {isAsking && file && (
        <ConfirmDialog
          question="Weet je zeker dat je dit DBC-bestand wilt verwijderen"
          onYes={() => onDelete(bus)}
          onClose={() => setIsAsking(false)}
          fallback="Het DBC-bestand is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{file.name}</strong> van CAN-bus {bus}. {deletedWords(mapped)}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function deletedWords(mapped: number): string {
  if (mapped === 0) return 'Er is niets van deze bus gekoppeld.';
  return mapped === 1
    ? 'De koppeling die ervan afhangt vervalt ook.'
    : `De ${mapped} koppelingen die ervan afhangen vervallen ook.`;
}
