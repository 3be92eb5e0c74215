import { useState } from 'react';
import { useUpload } from '#web/lib/upload.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { FileButton, UploadState } from '#web/ui/upload.tsx';
import { useDeletePhoto, usePhoto, useSendPhoto } from './machine-file-calls.ts';
import styles from './photo-panel.module.css';
import { PHOTO_ACCEPT, photoFault } from './upload-check.ts';

type PhotoPanelProps = { readonly serial: string; readonly alias: string };

/** The machine's photo, round, to be replaced or removed (MEDIT-08). */
export function PhotoPanel({ serial, alias }: PhotoPanelProps) {
  const photo = usePhoto(serial);
  const removal = useDeletePhoto(serial);
  const upload = useUpload({
    check: photoFault,
    send: useSendPhoto(serial),
    fallback: 'De foto is niet opgeslagen. Probeer het opnieuw.',
  });
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Panel
      title="Foto"
      action={photo.data && <DeleteButton of="foto" look="icon" onClick={() => setIsAsking(true)} />}
    >
      <RetryAlert query={photo} fallback="Error loading image." />
      {photo.data && <img className={styles.photo} src={photo.data.url} alt={`Foto van ${alias}`} />}
      {photo.data === null && <p className={styles.none}>No Image Was Found</p>}
      {photo.data === undefined && !photo.error && <div className={styles.none} aria-hidden="true" />}
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
