import { Button } from '@mantine/core';
import { Screen } from '#web/ui/screen.tsx';

/** The portal does not answer, and there is a session: wait for it. The session query tries again by itself. */
export function Unreachable({ retry }: { readonly retry: () => void }) {
  return (
    <Screen title="Geen verbinding met het portaal">
      <p role="status">We proberen het elke paar seconden opnieuw. Je blijft ingelogd.</p>
      <Button size="md" onClick={retry}>
        Opnieuw proberen
      </Button>
    </Screen>
  );
}
