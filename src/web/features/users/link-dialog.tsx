import { Button } from '@mantine/core';
import { CONFIRMATION_DAYS, INVITATION_DAYS, RESET_MINUTES } from '#shared/domain/link-validity.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';

/** A link that the user hands over because the portal sends no mail: an invitation, a confirmation, or a password reset. */
export type HandedOverLink = {
  readonly what: keyof typeof ABOUT;
  readonly email: string;
  readonly link: string;
};

const ABOUT = {
  invitation: {
    does: 'wie hem heeft maakt het account',
    lasts: `De link is ${INVITATION_DAYS} dagen geldig, werkt één keer en is hierna niet meer te zien.`,
  },
  confirm: {
    does: 'daarmee gaat het portaal voor dit account open',
    lasts: `De link is ${CONFIRMATION_DAYS} dagen geldig. Zolang hij niet gebruikt is, kun je hem bij deze gebruiker opnieuw krijgen.`,
  },
  password: {
    does: 'wie hem heeft kiest het wachtwoord',
    lasts: `De link is ${RESET_MINUTES} minuten geldig, werkt één keer en is hierna niet meer te zien.`,
  },
} as const;

type LinkDialogProps = HandedOverLink & { readonly onClose: () => void };

/** Shows a link once, with a copy button. */
export function LinkDialog({ what, email, link, onClose }: LinkDialogProps) {
  const { does, lasts } = ABOUT[what];
  return (
    <Dialog title="Geef de link door" onClose={onClose}>
      <DialogBody>
        <p>
          Dit portaal verstuurt geen mail. Geef deze link zelf aan <strong>{email}</strong>, en aan niemand
          anders: {does}.
        </p>
        <div className="row gap-3">
          <code className="grow wrap">{link}</code>
          <CopyButton text={link} label={`Kopieer de link voor ${email}`} />
        </div>
        <p>{lasts}</p>
        <Button size="md" fullWidth onClick={onClose}>
          Klaar
        </Button>
      </DialogBody>
    </Dialog>
  );
}
