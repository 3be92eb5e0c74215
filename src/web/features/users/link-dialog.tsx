import { Button } from '@mantine/core';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import styles from './newcomers.module.css';

/** The link of an invitation that no mail brings. */
export type HandedLink = { readonly email: string; readonly link: string };

type LinkDialogProps = HandedLink & { readonly onClose: () => void };

/** Gives the inviter the link once: nothing else has it. */
export function LinkDialog({ email, link, onClose }: LinkDialogProps) {
  return (
    <Dialog title="Geef de link door" onClose={onClose}>
      <DialogBody>
        <p>
          Dit portaal verstuurt geen mail. Geef deze link zelf aan <strong>{email}</strong>, en aan niemand
          anders: wie hem heeft maakt het account.
        </p>
        <div className={styles.link}>
          <code>{link}</code>
          <CopyButton text={link} label={`Kopieer de link voor ${email}`} />
        </div>
        <p>De link is 7 dagen geldig, werkt één keer en is hierna niet meer te zien.</p>
        <Button size="md" fullWidth onClick={onClose}>
          Klaar
        </Button>
      </DialogBody>
    </Dialog>
  );
}
