import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type AskForProof, askForProofBy, call } from '#web/lib/api.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

type Answer = (isProved: boolean) => void;

/** Asks somebody to show that it is them, before what cannot be undone; several calls at once ask it once. */
export function ProofQuestion(): ReactNode {
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    let asked: Promise<boolean> | undefined;
    const ask: AskForProof = () => {
      asked ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        asked = undefined;
        setAnswer(undefined);
      });
      return asked;
    };
    askForProofBy(ask);
    return () => askForProofBy(undefined);
  }, []);
  return answer && <ProofDialog onAnswer={answer} />;
}

function ProofDialog({ onAnswer }: { readonly onAnswer: Answer }): ReactNode {
  return (
    <Dialog title="Bevestig dat jij het bent" onClose={() => onAnswer(false)}>
      <DialogBody>
        <p>Wat je gaat doen kan niet ongedaan worden gemaakt. Daarom vragen we nog eens je wachtwoord.</p>
        <Form
          submit="Bevestig"
          fallback="Het is niet bevestigd. Probeer het opnieuw."
          onSubmit={async (fields) => {
            await call('POST /api/account/proof', { body: { password: String(fields.get('password')) } });
            onAnswer(true);
          }}
        >
          <PasswordField />
        </Form>
        <Button variant="default" size="md" fullWidth onClick={() => onAnswer(false)}>
          Annuleren
        </Button>
      </DialogBody>
    </Dialog>
  );
}
