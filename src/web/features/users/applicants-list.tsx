import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Applicant } from '#shared/contract/applicants.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { WrappingEmailAddress } from '#web/ui/address.tsx';
import { CardActions, CardList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import type { HandedOverLink } from './link-dialog.tsx';
import styles from './newcomers.module.css';

type Asked = { readonly applicant: Applicant; readonly admit: boolean };

type ApplicantsListProps = {
  readonly onDone: (note: string) => void;
  /** Called with the confirmation link to hand over, if the portal sends no mail. */
  readonly onLink: (handed: HandedOverLink) => void;
};

/** Lists people who registered and wait for approval, with 'Laat toe' and 'Weiger'; nothing if there are none. */
export function ApplicantsList({ onDone, onLink }: ApplicantsListProps) {
  const { hasNoMailServer } = useUser();
  const titleId = useId();
  const applicants = useQuery(readQuery('GET /api/applicant/get'));
  const send = useSendChange();
  const [asked, setAsked] = useState<Asked>();
  if (!applicants.error && !applicants.data?.length && !asked) return null;
  const answer = async ({ applicant: { _id, email }, admit }: Asked): Promise<void> => {
    const key = admit ? 'POST /api/applicant/admit' : 'POST /api/applicant/refuse';
    const made = await send(key, { body: { _id } });
    const link = 'link' in made ? made.link : undefined;
    if (link !== undefined) onLink({ what: 'confirm', email, link });
    else onDone(admit ? `${email} is toegelaten en kan nu inloggen.` : `${email} is geweigerd.`);
  };
  return (
    <section className={`${styles.newcomers} mb-8`} aria-labelledby={titleId}>
      <h2 className="mb-1" id={titleId}>
        Wacht op toelating
      </h2>
      <p>Zij registreerden zich met de code, en kunnen pas inloggen als jij ze toelaat.</p>
      <RetryAlert query={applicants} fallback="Wie er wacht is niet geladen." />
      <CardList label="Wacht op toelating" items={applicants.data ?? []} keyOf={({ _id }) => _id}>
        {(applicant) => (
          <>
            <h3>
              <WrappingEmailAddress email={applicant.email} />
            </h3>
            <p>{applicant.cleanorg}</p>
            <p>Sinds {dateAndTime(Date.parse(applicant.asked))}</p>
            <CardActions>
              <Button
                size="md"
                aria-label={`Laat toe: ${applicant.email}`}
                onClick={() => setAsked({ applicant, admit: true })}
              >
                Laat toe
              </Button>
              <Button
                variant="default"
                size="md"
                aria-label={`Weiger ${applicant.email}`}
                onClick={() => setAsked({ applicant, admit: false })}
              >
                Weiger
              </Button>
            </CardActions>
          </>
        )}
      </CardList>
      {asked && (
        <ConfirmDialog
          question={asked.admit ? 'Wil je deze aanvraag toelaten' : 'Wil je deze aanvraag weigeren'}
          kind={asked.admit ? 'change' : 'remove'}
          onYes={() => answer(asked)}
          onClose={() => setAsked(undefined)}
          fallback="Dat is niet gelukt. Probeer het opnieuw."
        >
          <p>
            <strong>{asked.applicant.email}</strong> bij {asked.applicant.cleanorg}
          </p>
          <p>
            {asked.admit &&
              asked.applicant.becomesBeheerder &&
              'Dit is het eerste account van de organisatie: diegene wordt beheerder en beheert haar gebruikers. '}
            {asked.admit
              ? `Diegene ziet dan alle machines van de organisatie. ${hasNoMailServer ? 'Je krijgt een link om door te geven: pas daarmee kan diegene verder.' : 'Diegene krijgt een mail.'}`
              : `Diegene komt er met de code niet meer in${hasNoMailServer ? '' : ' en krijgt een mail'}. Uitnodigen kan wel.`}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
