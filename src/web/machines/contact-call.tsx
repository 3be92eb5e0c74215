import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { NearestContact } from '#shared/contract/contacts.ts';
import { isOutsideHours } from '#shared/domain/contact-hours.ts';
import { contactOwnerText } from '#shared/domain/contacts.ts';
import { telephoneLink } from '#shared/domain/telephone.ts';
import { useNow } from '#web/lib/now.ts';
import { readQuery } from '#web/queries/read.ts';

/**
 * A loaded contact is used for this long without a new request: contacts hardly change, and a machine is on its
 * project for hours.
 */
const FRESH_MS = 60_000;
const CLOCK_STEP_MS = 60_000;

type ContactCallProps = {
  readonly contact: NearestContact;
  /** Layout for a popup, in which the number is below the name. */
  readonly isTight?: boolean | undefined;
};

/** Shows the contact of a machine as a telephone link, and whether it is outside the contact's hours. */
export function ContactCall({ contact, isTight = false }: ContactCallProps): ReactNode {
  const { contactName, telephone, contactNote, by, ownerName } = contact;
  const whose = contactOwnerText(by, ownerName);
  const isOutside = isOutsideHours(contactNote, useNow(CLOCK_STEP_MS));
  const more = [
    isTight ? whose : `Contact ${whose}`,
    isTight ? '' : contactNote,
    isOutside ? 'nu buiten werktijd' : '',
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <p className="stack gap-0" data-tight={isTight || undefined}>
      <a className="text-link cluster gap-x-1" href={telephoneLink(telephone)}>
        <span>
          Bel {contactName}
          {!isTight && (
            <>
              : <span className="nowrap">{telephone}</span>
            </>
          )}
        </span>
      </a>
      <span className="quiet smaller">
        {isTight && (
          <>
            <span className="nowrap">{telephone}</span> ·{' '}
          </>
        )}
        {more}
      </span>
    </p>
  );
}

type MachineContactProps = Pick<ContactCallProps, 'isTight'> & { readonly serial: string };

/** Shows the nearest contact of a machine; nothing if there is none. */
export function MachineContact({ serial, isTight }: MachineContactProps): ReactNode {
  const { data } = useQuery({
    ...readQuery('GET /api/contact/nearest', { query: { serial } }),
    staleTime: FRESH_MS,
  });
  return data?.contact ? <ContactCall contact={data.contact} isTight={isTight} /> : null;
}
