import { Button } from '@mantine/core';
import { ApiError } from '#web/lib/api.ts';
import { NO_CONNECTION_TEXT, PORTAL_ERROR_TEXT } from '#web/live/outage.tsx';
import { MessageScreen } from '#web/ui/screen.tsx';

/** Shown when the portal does not respond although this tab had a session. The session query retries automatically. */
export function UnreachablePage({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const isServerError = error instanceof ApiError && error.status > 0;
  return (
    <MessageScreen title={isServerError ? PORTAL_ERROR_TEXT : NO_CONNECTION_TEXT}>
      <p role="status">We proberen het elke paar seconden opnieuw. Je blijft ingelogd.</p>
      <Button size="md" onClick={retry}>
        Opnieuw proberen
      </Button>
    </MessageScreen>
  );
}
