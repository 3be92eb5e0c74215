/** Messages on a page: a result, a failure, and a query that failed. */
import { Button } from '@mantine/core';
import { ApiError, failureText } from '#web/lib/api.ts';
import styles from './notice.module.css';
import { TickIcon } from './tick-icon.tsx';

/**
 * Shows a result, which a screen reader announces. Always render it, because only changes of an existing
 * element are announced; invisible while empty.
 */
export function Notice({ children }: { readonly children: string | undefined }) {
  return (
    <div role="status">
      {children !== undefined && (
        <p className={`${styles.notice} row top rounded py-2 px-3`}>
          <TickIcon />
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}

/**
 * Shows a failure, which a screen reader announces at once. Always render it, for the same reason as Notice;
 * invisible while empty.
 */
export function FailureAlert({ children }: { readonly children: string | undefined }) {
  return <div role="alert">{children !== undefined && <p className="alert">{children}</p>}</div>;
}

type OutcomeProps = {
  readonly note: string | undefined;
  readonly failure?: string | undefined;
};

/** Shows the result of the last action on a page, above its list. */
export function OutcomeNotice({ note, failure }: OutcomeProps) {
  return (
    <div className={styles.outcome}>
      <Notice>{note}</Notice>
      <FailureAlert>{failure}</FailureAlert>
    </div>
  );
}

type RetryAlertProps = {
  /** The TanStack query whose failure is shown. */
  readonly query: {
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  /** Shown when the server gives no message. */
  readonly fallback: string;
};

/** Shows that a query failed, with a button that retries unless the error is 'not found'. Always render it, like Notice. */
export function RetryAlert({ query: { error, isFetching, refetch }, fallback }: RetryAlertProps) {
  return (
    <div role="alert">
      {Boolean(error) && (
        <div className="split gap-3 alert mb-4">
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
