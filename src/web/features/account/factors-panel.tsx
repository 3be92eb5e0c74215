import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SecondFactor } from '#shared/contract/factors.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { supportsPasskeys } from '#web/session/passkey.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { AddPasskey, AddTotp } from './add-factor.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const KIND_TEXTS = { passkey: 'Passkey', totp: 'Authenticator-app' } as const;

type OpenDialog =
  | { readonly what: 'add-passkey' | 'add-totp' | 'new-codes' }
  | { readonly what: 'codes'; readonly codes: readonly string[] }
  | { readonly what: 'rename' | 'remove'; readonly factor: SecondFactor };

/** Panel that lists the user's second factors, with dialogs to add, rename and remove one and to renew the recovery codes. */
export function FactorsPanel() {
  const query = useQuery(readQuery('GET /api/account/factors'));
  const [dialog, setDialog] = useState<OpenDialog>();
  const [note, setNote] = useState<string>();
  const close = (): void => setDialog(undefined);
  const open = (next: OpenDialog): void => {
    setNote(undefined);
    setDialog(next);
  };
  const added = (codes: readonly string[]): void => {
    setNote('De tweede stap is toegevoegd.');
    setDialog(codes.length > 0 ? { what: 'codes', codes } : undefined);
  };
  const { factors = [], recoveryCodes = 0, isRequired = false, canHavePasskeys = false } = query.data ?? {};

  return (
    <Panel title="Tweede stap bij inloggen" id="tweede-stap">
      <RetryAlert query={query} fallback="Je tweede stappen zijn niet geladen." />
      <Notice>{note}</Notice>
      {query.data && factors.length === 0 && (
        <p>
          Met een tweede stap kan niemand met alleen je wachtwoord inloggen. Kies een passkey (je vinger,
          gezicht of pincode) of een app die codes geeft.
        </p>
      )}
      {isRequired && factors.length > 0 && (
        <p className="quiet small">Voor jou is een tweede stap verplicht.</p>
      )}
      {factors.length > 0 && (
        <ul className="stack" aria-label="Tweede stappen">
          {factors.map((factor) => (
            <FactorRow
              key={factor.id}
              factor={factor}
              onRename={() => open({ what: 'rename', factor })}
              onRemove={() => open({ what: 'remove', factor })}
            />
          ))}
        </ul>
      )}
      {query.data && (
        <div className="buttons">
          {canHavePasskeys && supportsPasskeys() && (
            <Button variant="default" size="md" onClick={() => open({ what: 'add-passkey' })}>
              Passkey toevoegen
            </Button>
          )}
          <Button variant="default" size="md" onClick={() => open({ what: 'add-totp' })}>
            App toevoegen
          </Button>
        </div>
      )}
      {query.data && !canHavePasskeys && (
        <p className="quiet small">Passkeys werken alleen als het portaal over https wordt bezocht.</p>
      )}
      {factors.length > 0 && (
        <div className="split gap-2">
          <p>{recoveryCodesLeft(recoveryCodes)}</p>
          <Button variant="default" size="md" onClick={() => open({ what: 'new-codes' })}>
            Nieuwe herstelcodes
          </Button>
        </div>
      )}
      {dialog && (
        <FactorDialog
          dialog={dialog}
          onAdded={added}
          onCodes={(codes) => setDialog({ what: 'codes', codes })}
          onNote={setNote}
          onClose={close}
        />
      )}
    </Panel>
  );
}

const recoveryCodesLeft = (count: number): string => {
  if (count === 0) return 'Je herstelcodes zijn op. Maak nieuwe.';
  return count === 1 ? 'Nog 1 herstelcode over.' : `Nog ${count} herstelcodes over.`;
};

type FactorRowProps = {
  readonly factor: SecondFactor;
  readonly onRename: () => void;
  readonly onRemove: () => void;
};

function FactorRow({ factor, onRename, onRemove }: FactorRowProps) {
  const { name, kind, createdAt, lastUsedAt, isDisabled } = factor;
  const used = lastUsedAt ? `gebruikt ${dateAndTime(Date.parse(lastUsedAt))}` : 'nog niet gebruikt';
  return (
    <li className="cluster pb-3 line-below">
      <div className="grow-12">
        <h3>{name}</h3>
        <p className="quiet small">
          {KIND_TEXTS[kind]} · sinds {dateAndTime(Date.parse(createdAt))} · {used}
        </p>
      </div>
      <Button variant="default" size="md" aria-label={`Hernoem ${name}`} onClick={onRename}>
        Hernoem
      </Button>
      <DeleteButton of={name} look="icon" onClick={onRemove} />
      {isDisabled && (
        <p className="full alarming">
          Geblokkeerd: er lijkt een kopie van deze passkey te zijn. Verwijder hem en maak een nieuwe.
        </p>
      )}
    </li>
  );
}

type FactorDialogProps = {
  readonly dialog: OpenDialog;
  readonly onAdded: (recoveryCodes: readonly string[]) => void;
  readonly onCodes: (recoveryCodes: readonly string[]) => void;
  readonly onNote: (note: string) => void;
  readonly onClose: () => void;
};

function FactorDialog({ dialog, onAdded, onCodes, onNote, onClose }: FactorDialogProps) {
  const send = useSendChange();
  const renewed = useRef<readonly string[]>(undefined);
  switch (dialog.what) {
    case 'add-passkey':
      return (
        <CancelDialog title="Passkey toevoegen" onClose={onClose}>
          <AddPasskey onAdded={onAdded} />
        </CancelDialog>
      );
    case 'add-totp':
      return (
        <CancelDialog title="Authenticator-app toevoegen" onClose={onClose}>
          <AddTotp onAdded={onAdded} />
        </CancelDialog>
      );
    case 'codes':
      return (
        // Ignores Escape: closing the dialog before the user has kept the codes would lose them.
        <Dialog title="Je herstelcodes" onClose={() => undefined}>
          <DialogBody>
            <RecoveryCodes codes={dialog.codes} onKept={onClose} />
          </DialogBody>
        </Dialog>
      );
    case 'new-codes':
      return (
        <ConfirmDialog
          kind="change"
          question="Weet je zeker dat je nieuwe herstelcodes wilt"
          onYes={async () => {
            renewed.current = (await send('POST /api/account/factors/recovery-codes')).recoveryCodes;
          }}
          onClose={() => (renewed.current ? onCodes(renewed.current) : onClose())}
        >
          <p>De codes die je hebt, werken daarna niet meer.</p>
        </ConfirmDialog>
      );
    case 'rename':
      return <RenameDialog factor={dialog.factor} onNote={onNote} onClose={onClose} />;
    case 'remove':
      return (
        <ConfirmDialog
          question="Weet je zeker dat je deze tweede stap wilt verwijderen"
          onYes={async () => {
            await send('DELETE /api/account/factors', { query: { id: dialog.factor.id } });
            onNote(`${dialog.factor.name} is verwijderd.`);
          }}
          onClose={onClose}
          fallback="De tweede stap is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{dialog.factor.name}</strong>
          </p>
        </ConfirmDialog>
      );
  }
}

type CancelDialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
};

const CancelDialog = ({ title, onClose, children }: CancelDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <DialogBody>
      {children}
      <Button variant="default" size="md" fullWidth onClick={onClose}>
        Annuleren
      </Button>
    </DialogBody>
  </Dialog>
);

type RenameDialogProps = {
  readonly factor: SecondFactor;
  readonly onNote: (note: string) => void;
  readonly onClose: () => void;
};

function RenameDialog({ factor: { id, name }, onNote, onClose }: RenameDialogProps) {
  const send = useSendChange();
  const rename = async (fields: FormData): Promise<void> => {
    const body = { id, factorName: String(fields.get('factorName')) };
    await send('POST /api/account/factors/rename', { body });
    onNote('De naam is gewijzigd.');
    onClose();
  };
  return (
    <CancelDialog title="Hernoem" onClose={onClose}>
      <Form submit="Bewaar" fallback="De naam is niet gewijzigd. Probeer het opnieuw." onSubmit={rename}>
        <FormInput
          name="factorName"
          label="Naam"
          defaultValue={name}
          autoComplete="off"
          required
          maxLength={60}
        />
      </Form>
    </CancelDialog>
  );
}
