import { useState } from 'react';
import { useUpload } from '#web/lib/upload.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { FileButton, UploadState } from '#web/ui/upload.tsx';
import { useDeleteManual, useManual, useSendManual } from './machine-file-calls.ts';
import styles from './manual-panel.module.css';
import { MANUAL_ACCEPT, manualFault, megabytes } from './upload-check.ts';

/** The machine's manual, in a tab of its own, to be replaced or removed (MEDIT-09). */
export function ManualPanel({ serial }: { readonly serial: string }) {
  const manual = useManual(serial);
  const removal = useDeleteManual(serial);
  const upload = useUpload({
    check: manualFault,
    send: useSendManual(serial),
    fallback: 'De handleiding is niet opgeslagen. Probeer het opnieuw.',
  });
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Panel
      title="Handleiding van de machine"
      action={manual.data && <DeleteButton of="handleiding" onClick={() => setIsAsking(true)} />}
    >
      <RetryAlert query={manual} fallback="Error loading manual." />
      {manual.data && (
        <p>
          <a href={manual.data.url} target="_blank" rel="noreferrer" className={styles.link}>
            Handleiding is Beschikbaar<span className="sr-only"> (opent in een nieuw tabblad)</span>
          </a>
          <span className={styles.file}>
            {manual.data.name}, {sizeInWords(manual.data.size)}
          </span>
        </p>
      )}
      {manual.data === null && <p className={styles.none}>Handleiding is niet Beschikbaar</p>}
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

const sizeInWords = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : megabytes(bytes);
