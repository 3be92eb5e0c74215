import { FailureAlert } from '#web/ui/failure-alert.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import type { Upload } from './use-upload.ts';

type UploadStateProps = {
  readonly upload: Upload;
  /** 'De foto': what is under way. */
  readonly what: string;
};

/** How far an upload is, and why it failed. */
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
