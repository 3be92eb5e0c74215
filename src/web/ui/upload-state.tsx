import type { Upload } from '#web/lib/use-upload.ts';
import { FailureAlert } from './failure-alert.tsx';
import { ProgressBar } from './progress-bar.tsx';

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
