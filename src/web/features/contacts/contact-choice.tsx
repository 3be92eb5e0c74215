import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Contact } from '#shared/contract/contacts.ts';
import type { ContactOwner } from '#shared/domain/contacts.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { Form } from '#web/ui/form.tsx';
import { FormSelect } from '#web/ui/form-input.tsx';
import { ContactDialog } from './contact-dialog.tsx';

type ContactChoiceProps = {
  readonly of: { readonly name: string; readonly by: ContactOwner; readonly target: string };
  readonly contacts: readonly Contact[];
  /** Label of the option to choose no contact. */
  readonly none: string;
  /** Whether a new contact can be made here. */
  readonly adds?: boolean;
  readonly onDone: (message: string) => void;
};

/** Form in which the user chooses the contact of one organization, project or machine, or makes a new contact for it. */
export function ContactChoice({ of, contacts, none, adds = false, onDone }: ContactChoiceProps) {
  const isOwn = ({ uses }: Contact): boolean =>
    uses.some(({ by, target }) => by === of.by && target.toLowerCase() === of.target.toLowerCase());
  const [chosen, setChosen] = useState(() => String(contacts.find(isOwn)?._id ?? ''));
  const [isAdding, setAdding] = useState(false);
  const isOnly = (name: string): boolean =>
    contacts.filter(({ contactName }) => contactName === name).length === 1;
  const send = useSendChange();
  const save = async (id: string): Promise<void> => {
    const body = { ...of, contact: id === '' ? null : Number(id) };
    onDone((await send('POST /api/contact/use', { body })).message);
  };
  return (
    <>
      <Form
        submit="Bewaar"
        fallback="Het contact is niet bewaard. Probeer het opnieuw."
        onSubmit={() => save(chosen)}
      >
        <FormSelect
          label="Contact"
          name="contact"
          value={chosen}
          data={[
            { value: '', label: none },
            ...contacts.map(({ _id, contactName, telephone }) => ({
              value: String(_id),
              label: isOnly(contactName) ? contactName : `${contactName}, ${telephone}`,
            })),
          ]}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      </Form>
      {adds && (
        <p className="mt-3">
          <Button variant="default" size="md" onClick={() => setAdding(true)}>
            Nieuw contact
          </Button>
        </p>
      )}
      {isAdding && (
        <ContactDialog
          name={of.name}
          onSaved={async (_, id) => {
            setAdding(false);
            setChosen(String(id));
            await save(String(id));
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
