import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { MessageScreen } from '#web/ui/screen.tsx';
import { chunkFailureMessage } from './chunk.ts';
import { useReloadWhenBack } from './reload-when-back.ts';

/** Shown when a route throws or its chunk does not load (APP-04, APP-11). */
export function ErrorPage() {
  const failedChunk = chunkFailureMessage(useRouteError());
  return failedChunk === undefined ? (
    <UnexpectedError>Er ging iets mis in dit scherm.</UnexpectedError>
  ) : (
    <ChunkFailure message={failedChunk} />
  );
}

/** ErrorPage for routes outside the layout, with its own `main` element. */
export const BareErrorPage = () => (
  <main>
    <ErrorPage />
  </main>
);

/** Shown when the address in the browser is not that of a page of the portal. */
export function UnknownPage() {
  return <UnexpectedError>Deze pagina bestaat niet.</UnexpectedError>;
}

function UnexpectedError({ children }: { readonly children: string }) {
  return (
    <MessageScreen title="Unexpected Application Error!">
      <p>{children}</p>
      <Button size="md" component={Link} to="/">
        Naar de kaart
      </Button>
    </MessageScreen>
  );
}

function ChunkFailure({ message }: { readonly message: string }) {
  useReloadWhenBack();
  return (
    <MessageScreen title={message}>
      <p>
        Een deel van het portaal is niet geladen. Misschien is er net een nieuwe versie, of viel de verbinding
        weg.
      </p>
      <Button size="md" onClick={() => window.location.reload()}>
        Opnieuw laden
      </Button>
    </MessageScreen>
  );
}
