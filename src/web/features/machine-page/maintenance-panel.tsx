import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isActionAllowed } from '#shared/domain/access.ts';
import { dueText, intervalText } from '#shared/domain/maintenance.ts';
import { dutchDate, formatDecimals } from '#shared/domain/nl.ts';
import { DoneDialog } from '#web/machines/maintenance-done.tsx';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { CardActions, CardList, CardSkeletons } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { OutcomeNotice, RetryAlert } from '#web/ui/notice.tsx';
import { type Plan, PlanDialog } from './maintenance-dialogs.tsx';
import { Section } from './section.tsx';
import { TemplateOffer } from './template-offer.tsx';

type OpenDialog =
  | { readonly what: 'plan'; readonly plan?: Plan }
  | { readonly what: 'done' | 'delete'; readonly plan: Plan };

/** Panel with the maintenance plans of the machine and their history. Only users who manage maintenance can change them. */
export function MaintenancePanel({ serial }: { readonly serial: string }): ReactNode {
  const mayManage = isActionAllowed(useUser(), 'manage-maintenance');
  const query = useQuery(readQuery('GET /api/maintenance/get', { query: { serial } }));
  const removal = useChange('POST /api/maintenance/delete');
  const [dialog, setDialog] = useState<OpenDialog>();
  const [note, setNote] = useState<string>();
  const close = (): void => setDialog(undefined);
  const saved = (message: string): void => {
    setNote(message);
    close();
  };
  const { data } = query;
  return (
    <Section
      id="onderhoud"
      title="Onderhoud"
      {...headingOf(data?.plans)}
      action={
        mayManage && data ? (
          <Button variant="default" size="md" onClick={() => setDialog({ what: 'plan' })}>
            Voeg onderhoud toe
          </Button>
        ) : undefined
      }
    >
      <OutcomeNotice note={note} />
      <RetryAlert query={query} fallback="Het onderhoud is niet geladen." />
      {!data && !query.error && <CardSkeletons />}
      {mayManage && data?.offer && <TemplateOffer serial={serial} offer={data.offer} onDone={saved} />}
      {data?.plans.length === 0 && (
        <EmptyState title="Nog geen onderhoud">
          <p>Wat elke zoveel draaiuren of maanden moet gebeuren, staat hier met wanneer het weer nodig is.</p>
        </EmptyState>
      )}
      {data && data.plans.length > 0 && (
        <CardList label="Onderhoud" items={data.plans} keyOf={({ _id }) => _id}>
          {(plan) => (
            <>
              <h3>{plan.planName}</h3>
              <p className="due" data-state={plan.state}>
                {dueText(plan)}
              </p>
              <p className="quiet">
                {intervalText(plan)}
                {plan.ofTemplate &&
                  (plan.ofTemplate === 'follows' ? ', volgens het sjabloon' : ', gewijzigd op deze machine')}
              </p>
              <p className="quiet">
                Laatst op {dutchDate(plan.lastDay)}, bij {inHours(plan.lastHours)}
              </p>
              <History plan={plan} />
              {mayManage && (
                <CardActions>
                  <Button
                    size="md"
                    aria-label={`Gedaan: ${plan.planName}`}
                    onClick={() => setDialog({ what: 'done', plan })}
                  >
                    Gedaan
                  </Button>
                  <Button
                    size="md"
                    variant="default"
                    aria-label={`Wijzig ${plan.planName}`}
                    onClick={() => setDialog({ what: 'plan', plan })}
                  >
                    Wijzig
                  </Button>
                  <DeleteButton of={plan.planName} onClick={() => setDialog({ what: 'delete', plan })} />
                </CardActions>
              )}
            </>
          )}
        </CardList>
      )}
      {dialog?.what === 'plan' && data && (
        <PlanDialog serial={serial} hours={data.hours} plan={dialog.plan} onSaved={saved} onClose={close} />
      )}
      {dialog?.what === 'done' && data && (
        <DoneDialog hours={data.hours} plan={dialog.plan} onSaved={saved} onClose={close} />
      )}
      {dialog?.what === 'delete' && (
        <ConfirmDialog
          question="Weet je zeker dat je dit onderhoud wilt verwijderen"
          onYes={async () => setNote((await removal.mutateAsync({ body: { _id: dialog.plan._id } })).message)}
          onClose={close}
          fallback="Het onderhoud is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{dialog.plan.planName}</strong>, met wat ervan is genoteerd
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Returns the texts of the closed section's heading on a phone: what is due, or which plan is next. */
function headingOf(plans: readonly Plan[] = []): { attention?: string; summary?: string } {
  const [first] = plans;
  if (!first) return {};
  const due = plans.filter(({ state }) => state !== 'ok');
  if (due.length > 1) return { attention: `${due.length} nodig of bijna nodig` };
  const next = due[0] ?? first;
  const text = `${dueText(next)}: ${next.planName}`;
  return due.length > 0 ? { attention: text } : { summary: text };
}

function History({ plan }: { readonly plan: Plan }): ReactNode {
  if (plan.done.length === 0) return null;
  return (
    <details>
      <summary className="fold">Eerder gedaan ({plan.done.length})</summary>
      <ul className="bullets">
        {plan.done.map((one) => (
          <li key={`${one.doneDay} ${one.doneHours} ${one.doneNote}`}>
            {dutchDate(one.doneDay)}, {inHours(one.doneHours)}
            {one.doneNote !== '' && <span className="block quiet wrap">{one.doneNote}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

const inHours = (hours: number): string => `${formatDecimals(hours, 1, 0)} uur`;
