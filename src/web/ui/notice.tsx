/** What a person is told: what was done, what went wrong, and that something did not come. */
import { Button } from '@mantine/core';
import { ApiError, failureText } from '#web/lib/api.ts';
import styles from './notice.module.css';
import { TickIcon } from './tick-icon.tsx';

/** What was done, in a line that a screen reader says too. Always in the page; unseen while empty. */
export function Notice({ children }: { readonly children: string | undefined }) {
  return (
    <div role="status">
      {children !== undefined && (
        <p className={styles.notice}>
          <TickIcon />
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}

/** What went wrong, said at once by a screen reader. Always in the page, so that it is heard; unseen while empty. */
export function FailureAlert({ children }: { readonly children: string | undefined }) {
  return <div role="alert">{children !== undefined && <p className={styles.failure}>{children}</p>}</div>;
}

type OutcomeProps = {
  readonly note: string | undefined;
  readonly failure?: string | undefined;
};

/** What came of the last thing that was done on the page, above its list. */
export function Outcome({ note, failure }: OutcomeProps) {
  return (
    <div className={styles.outcome}>
      <Notice>{note}</Notice>
      <FailureAlert>{failure}</FailureAlert>
    </div>
  );
}

type RetryAlertProps = {
  /** A query of TanStack's. */
  readonly query: {
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  /** What is said when the server says nothing. */
  readonly fallback: string;
};

/**
 * That something did not come, with a button that asks again, but not for what does not exist. Always in the page, so
 * that it is heard.
 */
export function RetryAlert({ query: { error, isFetching, refetch }, fallback }: RetryAlertProps) {
  return (
    <div role="alert">
      {Boolean(error) && (
        <div className={styles.retry}>
          <p>{failureText(error, fallback)}</p>
          {!isMissing(error) && (
            <Button
              variant="default"
              size="md"
              aria-disabled={isFetching || undefined}
              onClick={() => isFetching || void refetch()}
            >
              Opnieuw proberen
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';
