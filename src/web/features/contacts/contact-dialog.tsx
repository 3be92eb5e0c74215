import type { Contact } from '#shared/contract/contacts.ts';
import {
  CONTACT_VISIBILITY_LABELS,
  CONTACT_VISIBILITY_ROLES,
  type ContactVisibilityRole,
} from '#shared/domain/contacts.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { telephoneError } from '#shared/domain/telephone.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput, FormSelect } from '#web/ui/form-input.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { contactUsesText } from './contact-text.ts';

type ContactDialogProps = {
  /** The organization's functional name: its name in calls and addresses. */
  readonly name: string;
  /** The contact to change; undefined for a new one. */
  readonly contact?: Contact | undefined;
  readonly onSaved: (message: string, id: number) => void;
  readonly onClose: () => void;
};

/** Dialog that makes or changes a contact. A change takes effect wherever the contact is used. */
export function ContactDialog({ name, contact, onSaved, onClose }: ContactDialogProps) {
  const send = useSendChange();
  const save = async (fields: FormData): Promise<void> => {
    const text = (field: string): string => String(fields.get(field) ?? '').trim();
    const body = {
      name,
      contactName: text('contactName'),
      telephone: text('telephone'),
      contactNote: text('contactNote'),
      seenFrom: text('seenFrom') as ContactVisibilityRole,
      ...(contact && { _id: contact._id }),
    };
    const { message, _id } = await send('POST /api/contact/save', { body });
    onSaved(message, _id);
  };
  return (
    <Dialog title={contact ? 'Wijzig het contact' : 'Nieuw contact'} onClose={onClose}>
      <DialogBody>
        {contact && contact.uses.length > 0 && (
          <p>De wijziging geldt overal waar dit contact wordt gebruikt: {contactUsesText(contact.uses)}.</p>
        )}
        <Form
          submit="Opslaan"
          onCancel={onClose}
          fallback="Het contact is niet opgeslagen. Probeer het opnieuw."
          check={checkTelephone}
          onSubmit={save}
        >
          <FormInput
            label={FIELD_TEXTS.contactName}
            name="contactName"
            autoComplete="off"
            required
            maxLength={80}
            defaultValue={contact?.contactName}
          />
          <FormInput
            label={FIELD_TEXTS.telephone}
            name="telephone"
            type="tel"
            description="Bijvoorbeeld 06-12345678 of +32 470 12 34 56"
            autoComplete="off"
            required
            maxLength={40}
            defaultValue={contact?.telephone}
          />
          <FormInput
            label={FIELD_TEXTS.contactNote}
            name="contactNote"
            description="Mag leeg zijn. Bijvoorbeeld: uitvoerder, op werkdagen tot 17:00"
            autoComplete="off"
            maxLength={200}
            defaultValue={contact?.contactNote}
          />
          <FormSelect
            label={FIELD_TEXTS.seenFrom}
            name="seenFrom"
            defaultValue={contact?.seenFrom ?? 'kijker'}
            data={CONTACT_VISIBILITY_ROLES.map((value) => ({
              value,
              label: CONTACT_VISIBILITY_LABELS[value],
            }))}
          />
        </Form>
      </DialogBody>
    </Dialog>
  );
}

const checkTelephone = (fields: FormData): readonly InputError[] => {
  const error = telephoneError(String(fields.get('telephone') ?? ''));
  const word = FIELD_TEXTS.telephone;
  return error ? [{ name: 'telephone', word, message: `${word} ${error}.` }] : [];
};
