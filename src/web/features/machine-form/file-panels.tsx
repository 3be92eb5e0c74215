import { useState } from 'react';
import { formatFileSize } from '#shared/domain/nl.ts';
import { useUpload } from '#web/lib/upload.ts';
import { useManual, usePhoto } from '#web/machines/machine-files.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { FileButton, UploadState } from '#web/ui/upload.tsx';
import styles from './file-panels.module.css';
import {
  MANUAL_ACCEPT,
  manualError,
  PHOTO_ACCEPT,
  photoError,
  useDeleteManual,
  useDeletePhoto,
  useSendManual,
  useSendPhoto,
} from './machine-files.ts';

type PhotoPanelProps = { readonly serial: string; readonly alias: string };

/** Panel that shows, replaces or removes the machine's photo (MEDIT-08). */
export function PhotoPanel({ serial, alias }: PhotoPanelProps) {
  const photo = usePhoto(serial);
  const removal = useDeletePhoto(serial);
  const upload = useUpload({
    check: photoError,
    send: useSendPhoto(serial),
    fallback: 'De foto is niet opgeslagen. Probeer het opnieuw.',
  });
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Panel
      title="Foto"
      action={
        photo.data && <DeleteButton word="Delete" of="foto" look="icon" onClick={() => setIsAsking(true)} />
      }
    >
      <RetryAlert query={photo} fallback="Error loading image." />
      {photo.data && (
        <img className={`${styles.photo} round`} src={photo.data.url} alt={`Foto van ${alias}`} />
      )}
      {photo.data === null && (
        <p className={`${styles.photo} ${styles.none} round centre p-6 quiet centred`}>No Image Was Found</p>
      )}
      {photo.data === undefined && !photo.error && (
        <div className={`${styles.photo} ${styles.none} round centre p-6 quiet centred`} aria-hidden="true" />
      )}
      <UploadState upload={upload} what="De foto" />
      <FileButton label="Upload Foto" accept={PHOTO_ACCEPT} isBusy={upload.isBusy} onPick={upload.start} />
      {isAsking && (
        <ConfirmDialog
          question="Weet je zeker dat je deze foto wilt verwijderen"
          onYes={() => removal.mutateAsync()}
          onClose={() => setIsAsking(false)}
          fallback="De foto is niet verwijderd. Probeer het opnieuw."
        />
      )}
    </Panel>
  );
}

/** Panel that opens, replaces or removes the machine's manual (MEDIT-09). */
export function ManualPanel({ serial }: { readonly serial: string }) {
  const manual = useManual(serial);
  const removal = useDeleteManual(serial);
  const upload = useUpload({
    check: manualError,
    send: useSendManual(serial),
    fallback: 'De handleiding is niet opgeslagen. Probeer het opnieuw.',
  });
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Panel
      title="Handleiding van de machine"
      action={
        manual.data && <DeleteButton word="Delete" of="handleiding" onClick={() => setIsAsking(true)} />
      }
    >
      <RetryAlert query={manual} fallback="Error loading manual." />
      {manual.data && (
        <p>
          <a href={manual.data.url} target="_blank" rel="noreferrer" className="text-link">
            Handleiding is Beschikbaar<span className="sr-only"> (opent in een nieuw tabblad)</span>
          </a>
          <span className="block quiet small">
            {manual.data.name}, {formatFileSize(manual.data.size)}
          </span>
        </p>
      )}
      {manual.data === null && <p className="quiet">Handleiding is niet Beschikbaar</p>}
      <UploadState upload={upload} what="De handleiding" />
      <FileButton
        label="Upload Handleiding"
        accept={MANUAL_ACCEPT}
        isBusy={upload.isBusy}
        onPick={upload.start}
      />
      {isAsking && (
        <ConfirmDialog
          question="Weet je zeker dat je deze handleiding wilt verwijderen"
          onYes={() => removal.mutateAsync()}
          onClose={() => setIsAsking(false)}
          fallback="De handleiding is niet verwijderd. Probeer het opnieuw."
        />
      )}
    </Panel>
  );
}
