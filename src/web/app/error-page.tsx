import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { Screen } from '#web/ui/screen.tsx';
import { chunkFailure } from './chunk.ts';
import { useReloadWhenBack } from './reload-when-back.ts';

/** What a route shows when it threw, or when its chunk did not come (APP-04, APP-11). */
export function ErrorPage() {
  const failedChunk = chunkFailure(useRouteError());
  return failedChunk === undefined ? (
    <UnexpectedError>Er ging iets mis in dit scherm.</UnexpectedError>
  ) : (
    <ChunkFailure message={failedChunk} />
  );
}

/** The same where there is no layout around it. */
export const BareErrorPage = () => (
  <main>
    <ErrorPage />
  </main>
);

/** For an address that is no page of the portal. */
export function UnknownPage() {
  return <UnexpectedError>Deze pagina bestaat niet.</UnexpectedError>;
}

function UnexpectedError({ children }: { readonly children: string }) {
  return (
    <Screen title="Unexpected Application Error!">
      <p>{children}</p>
      <Button size="md" component={Link} to="/">
        Naar de kaart
      </Button>
    </Screen>
  );
}

function ChunkFailure({ message }: { readonly message: string }) {
  useReloadWhenBack();
  return (
    <Screen title={message}>
      <p>
        Een deel van het portaal is niet geladen. Misschien is er net een nieuwe versie, of viel de verbinding
        weg.
      </p>
      <Button size="md" onClick={() => window.location.reload()}>
        Opnieuw laden
      </Button>
    </Screen>
  );
}
