import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { Contact } from '#shared/contract/contacts.ts';
import { CONTACT_VISIBILITY_LABELS } from '#shared/domain/contacts.ts';
import { telephoneLink } from '#shared/domain/telephone.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { CardActions, CardList, LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { ContactChoice } from './contact-choice.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import { CONTACT_PRECEDENCE_TEXT, contactUsesText } from './contact-text.ts';
import styles from './contacts-page.module.css';

type OpenDialog =
  | { readonly what: 'save'; readonly contact?: Contact }
  | { readonly what: 'delete'; readonly contact: Contact };

/** Page '/organization/:name/contacten': the contacts of an organization and where each is used. */
export function ContactsPage() {
  const { name = '' } = useParams();
  const contacts = useQuery(readQuery('GET /api/contact/get', { query: { name } }));
  const removal = useChange('POST /api/contact/delete');
  const [note, setNote] = useNote();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  return (
    <Page
      title="Contacten"
      back={`/organization/${name}`}
      action={
        <Button size="md" variant="default" onClick={() => setDialog({ what: 'save' })}>
          Voeg contact toe
        </Button>
      }
    >
      <OutcomeNotice note={note} />
      <p className="my-4">
        Meldingen, mails, de kaart en de pagina van een machine tonen wie je belt. {CONTACT_PRECEDENCE_TEXT}{' '}
        Kies het contact van een project of machine op haar eigen pagina.
      </p>
      <LoadedList
        query={contacts}
        empty={
          <EmptyState title="Nog geen contacten">
            <p>Voeg toe wie te bellen is, bijvoorbeeld de planner of de uitvoerder van een project.</p>
          </EmptyState>
        }
      >
        {(all) => (
          <>
            <Panel title="Contact van de organisatie">
              <ContactChoice
                of={{ name, by: 'organization', target: '' }}
                contacts={all}
                none="Geen"
                onDone={setNote}
              />
            </Panel>
            <div className="mt-4">
              <CardList label="Contacten" items={all} keyOf={({ _id }) => _id}>
                {(contact) => <Card contact={contact} onOpen={setDialog} />}
              </CardList>
            </div>
          </>
        )}
      </LoadedList>
      {dialog?.what === 'save' && (
        <ContactDialog
          name={name}
          contact={dialog.contact}
          onSaved={(message) => {
            setNote(message);
            close();
          }}
          onClose={close}
        />
      )}
      {dialog?.what === 'delete' && (
        <ConfirmDialog
          question="Weet je zeker dat je dit contact wilt verwijderen"
          onYes={async () =>
            setNote((await removal.mutateAsync({ body: { name, _id: dialog.contact._id } })).message)
          }
          onClose={close}
          fallback="Het contact is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{dialog.contact.contactName}</strong>, {dialog.contact.telephone}
          </p>
          {dialog.contact.uses.length > 0 && (
            <p>
              Gebruikt bij {contactUsesText(dialog.contact.uses)}. Daar geldt daarna het eerstvolgende
              contact. Is iemand vertrokken? Kies Wijzig: dan geldt de nieuwe naam overal.
            </p>
          )}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function Card({
  contact,
  onOpen,
}: {
  readonly contact: Contact;
  readonly onOpen: (dialog: OpenDialog) => void;
}) {
  const { contactName, telephone, contactNote, seenFrom, uses } = contact;
  return (
    <>
      <h2>{contactName}</h2>
      <p>
        <a
          className={`${styles.call} middle touch strong`}
          href={telephoneLink(telephone)}
          aria-label={`Bel ${contactName}: ${telephone}`}
        >
          {telephone}
        </a>
      </p>
      {contactNote && <p>{contactNote}</p>}
      <p className="quiet">
        {CONTACT_VISIBILITY_LABELS[seenFrom]} {seenFrom === 'kijker' ? 'ziet' : 'zien'} dit contact
      </p>
      <p className="quiet">
        {uses.length === 0 ? 'Nergens gebruikt' : `Gebruikt bij ${contactUsesText(uses)}`}
      </p>
      <CardActions>
        <Button
          variant="default"
          size="md"
          aria-label={`Wijzig ${contactName}`}
          onClick={() => onOpen({ what: 'save', contact })}
        >
          Wijzig
        </Button>
        <DeleteButton of={contactName} onClick={() => onOpen({ what: 'delete', contact })} />
      </CardActions>
    </>
  );
}
