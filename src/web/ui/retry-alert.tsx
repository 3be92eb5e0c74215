import { Button } from '@mantine/core';
import { ApiError } from '#web/lib/api.ts';
import { failureText } from '#web/lib/failure-text.ts';
import styles from './retry-alert.module.css';

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
        <div className={styles.failure}>
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
