/** Uploading one file: the button that picks it, its progress and its failure. */
import { Button } from '@mantine/core';
import { useRef } from 'react';
import type { Upload } from '#web/lib/upload.ts';
import { FailureAlert } from './notice.tsx';
import styles from './upload.module.css';

type FileButtonProps = {
  readonly label: string;
  /** The input's `accept`: the picker offers these types first, and allows others. */
  readonly accept: string;
  readonly isBusy?: boolean;
  readonly onPick: (file: File) => void;
};

/** A button that picks one file. The same file can be picked again, after a failure. */
export function FileButton({ label, accept, isBusy = false, onPick }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) onPick(file);
        }}
      />
      <Button
        variant="default"
        size="md"
        fullWidth
        aria-disabled={isBusy || undefined}
        onClick={() => isBusy || input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}

type UploadStateProps = {
  readonly upload: Upload;
  /** Name of the uploaded file: 'De foto'. */
  readonly what: string;
};

/** Shows an upload's progress and failure. */
export function UploadState({ upload: { isBusy, done, failure }, what }: UploadStateProps) {
  return (
    <>
      {isBusy && (
        <ProgressBar
          label={done < 1 ? `${what} wordt verstuurd` : `${what} wordt verwerkt`}
          done={done < 1 ? done : undefined}
        />
      )}
      <FailureAlert>{failure}</FailureAlert>
    </>
  );
}

/** Shows progress; `done` from 0 to 1, undefined while unknown. */
export function ProgressBar({ label, done }: { readonly label: string; readonly done: number | undefined }) {
  return (
    <div className={`${styles.progress} gap-2 middle`}>
      <span role="status">{label}</span>
      <progress value={done} aria-label={label} />
      {done !== undefined && <span aria-hidden="true">{Math.floor(done * 100)} %</span>}
    </div>
  );
}
