/** The dialogs of a webhook: for its name and address, and for its secret. */

import { Button } from '@mantine/core';
import type { Webhook } from '#shared/contract/webhooks.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';

export type NewSecret = { readonly webhookName: string; readonly secret: string };

type WebhookDialogProps = {
  /** The organization's functional name: its name in calls and addresses. */
  readonly of: string;
  /** The webhook to change; undefined for a new one. */
  readonly webhook: Webhook | undefined;
  /** Called once the webhook is saved. `made`: the secret of a new webhook. */
  readonly onSaved: (message: string, made?: NewSecret) => void;
  readonly onClose: () => void;
};

/** A dialog for the name and address of a webhook. */
export function WebhookDialog({ of: name, webhook, onSaved, onClose }: WebhookDialogProps) {
  const send = useSendChange();
  const save = async (form: FormData): Promise<void> => {
    const text = (field: string): string => String(form.get(field)).trim();
    const fields = { webhookName: text('webhookName'), webhookUrl: text('webhookUrl') };
    if (webhook) {
      const body = { ...fields, _id: webhook._id };
      onSaved((await send('POST /api/webhook/edit', { body })).message);
    } else {
      const { message, secret } = await send('POST /api/webhook/create', { body: { ...fields, name } });
      onSaved(message, { webhookName: fields.webhookName, secret });
    }
  };
  return (
    <Dialog title={webhook ? 'Wijzig de webhook' : 'Nieuwe webhook'} onClose={onClose}>
      <DialogBody>
        <Form submit="Opslaan" fallback="De webhook is niet opgeslagen. Probeer het opnieuw." onSubmit={save}>
          <FormInput
            label={FIELD_TEXTS.webhookName}
            name="webhookName"
            placeholder="Planning"
            autoComplete="off"
            required
            maxLength={60}
            defaultValue={webhook?.webhookName}
          />
          <FormInput
            label={FIELD_TEXTS.webhookUrl}
            name="webhookUrl"
            placeholder="https://bedrijf.nl/meldingen"
            description="Van je eigen programma: met https, en op internet."
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={1000}
            defaultValue={webhook?.webhookUrl}
          />
        </Form>
        <Button variant="default" size="md" fullWidth onClick={onClose}>
          Annuleren
        </Button>
      </DialogBody>
    </Dialog>
  );
}

type SecretDialogProps = NewSecret & { readonly onClose: () => void };

/** Shows a secret, which cannot be shown again. */
export const SecretDialog = ({ webhookName, secret, onClose }: SecretDialogProps) => (
  <Dialog title={`Het geheim van ${webhookName}`} onClose={onClose}>
    <DialogBody>
      <p>
        Geef dit aan je programma: daarmee controleert het dat een bericht van het portaal komt. Het geheim
        wordt <strong>niet nog eens</strong> getoond; ben je het kwijt, maak dan een nieuw.
      </p>
      <p className="cluster">
        <code className="grow wrap">{secret}</code>
        <CopyButton text={secret} label="Kopieer het geheim" />
      </p>
      <Button size="md" fullWidth onClick={onClose}>
        Klaar
      </Button>
    </DialogBody>
  </Dialog>
);
