import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { NearestContact } from '#shared/contract/contacts.ts';
import { isOutsideHours } from '#shared/domain/contact-hours.ts';
import { contactOwnerText } from '#shared/domain/contacts.ts';
import { telephoneLink } from '#shared/domain/telephone.ts';
import { call } from '#web/lib/api.ts';
import { useNow } from '#web/lib/now.ts';
import styles from './contact-call.module.css';

/** Every answer about contacts begins with this key. */
export const CONTACTS = ['contacts'] as const;

/** ms; contacts hardly change, and a machine is on its project for hours. */
const FRESH_MS = 60_000;
const CLOCK_STEP_MS = 60_000;

type ContactCallProps = {
  readonly contact: NearestContact;
  /** In the little room of a popup: the number stands below. */
  readonly isTight?: boolean | undefined;
};

/** Whom to call about a machine, and whether it is outside the contact's hours: one tap on a phone calls. */
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
    <p className={styles.contact} data-tight={isTight || undefined}>
      <a className={styles.call} href={telephoneLink(telephone)}>
        <span>
          Bel {contactName}
          {!isTight && (
            <>
              : <span className={styles.number}>{telephone}</span>
            </>
          )}
        </span>
      </a>
      <span className={styles.quiet}>
        {isTight && (
          <>
            <span className={styles.number}>{telephone}</span> ·{' '}
          </>
        )}
        {more}
      </span>
    </p>
  );
}

type MachineContactProps = Pick<ContactCallProps, 'isTight'> & { readonly serial: string };

/** The nearest contact of a machine that the reader may see; nothing where there is none. */
export function MachineContact({ serial, isTight }: MachineContactProps): ReactNode {
  const { data } = useQuery({
    queryKey: [...CONTACTS, 'nearest', serial],
    queryFn: ({ signal }) => call('GET /api/contact/nearest', { query: { serial }, signal }),
    staleTime: FRESH_MS,
  });
  return data?.contact ? <ContactCall contact={data.contact} isTight={isTight} /> : null;
}
