import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { WORK_WEEK_OWNERS, type WorkWeekOwner } from '#shared/domain/alerts/work-calendar.ts';
import type { WorkWeek } from '#shared/domain/alerts/work-week.ts';
import { ApiError } from '#web/lib/api.ts';
import { noteNavigationOptions } from '#web/lib/arrival-note.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { NotFound } from '#web/ui/screen.tsx';
import { WORK_WEEK_OWNER_TEXTS, WORK_WEEK_PRECEDENCE_TEXT, workWeekOwnerText } from './own-weeks-panel.tsx';
import { WorkWeekForm, workWeekInputOf } from './work-week-form.tsx';
import { CurrentShift } from './work-week-page.tsx';

const isOwner = (text: string): text is WorkWeekOwner =>
  (WORK_WEEK_OWNERS as readonly string[]).includes(text);

/** Page '/organization/:name/werkweek/:by/:target': the own work week of a label, a project or a machine. */
export function OwnWeekPage() {
  const { name = '', by = '', target = '' } = useParams();
  const back = `/organization/${name}/werkweek`;
  return isOwner(by) ? (
    <OneWeek key={`${name} ${by} ${target}`} of={{ name, by, target }} back={back} />
  ) : (
    <NotFound what="Deze werkweek" to={back} way="Naar de werkweek" />
  );
}

type Of = { readonly name: string; readonly by: WorkWeekOwner; readonly target: string };

function OneWeek({ of, back }: { readonly of: Of; readonly back: string }) {
  const send = useSendChange();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const own = useQuery(readQuery('GET /api/workweek/own/get', { query: of }));
  const usual = useQuery(readQuery('GET /api/workweek/get', { query: { name: of.name } }));
  const all = useQuery(
    readQuery('GET /api/workweek/own', {
      query: { name: of.name, ...(of.by === 'machine' && { serialNumber: of.target }) },
    }),
  );
  const holds = all.data?.holds ?? undefined;
  // A new own week starts as a copy of the week that applies at present.
  const inherited = useQuery({
    ...readQuery('GET /api/workweek/own/get', {
      query: { name: of.name, by: holds?.by ?? of.by, target: holds?.target ?? of.target },
    }),
    enabled: holds !== undefined && own.data?.week === null,
  });
  if (own.error instanceof ApiError && own.error.code === 'not_found')
    return (
      <NotFound
        what={`Dit${of.by === 'machine' ? ' of deze' : ''} ${WORK_WEEK_OWNER_TEXTS[of.by]}`}
        to={back}
        way="Naar de werkweek"
      />
    );
  const { data } = own;
  const listed = all.data?.ownWeeks.find(({ by, target }) => by === of.by && target === data?.target);
  const first =
    data?.week ??
    ((all.data || all.error) && !inherited.isLoading ? (inherited.data?.week ?? usual.data) : undefined);
  const save = async (week: WorkWeek): Promise<WorkWeek> => {
    const now = await send('POST /api/workweek/own/set', { body: { ...of, ...workWeekInputOf(week) } });
    return now.week ?? week;
  };
  const remove = async (): Promise<void> => {
    await send('POST /api/workweek/own/delete', { body: of });
    await navigate(back, noteNavigationOptions('De eigen werkweek is verwijderd.'));
  };
  return (
    <Page
      title={data ? `Werkweek van ${WORK_WEEK_OWNER_TEXTS[of.by]} ${data.targetName}` : 'Eigen werkweek'}
      back={back}
    >
      <RetryAlert query={own} fallback="De werkweek is niet geladen." />
      {!data && !own.error && <CardSkeletons />}
      {data && first && (
        <>
          {data.week ? (
            <p className="my-4">
              <CurrentShift week={data.week} />
            </p>
          ) : (
            <p className="my-4">
              {of.by === 'machine' ? 'Deze machine' : `Dit ${WORK_WEEK_OWNER_TEXTS[of.by]}`} heeft geen eigen
              werkweek.
              {of.by === 'machine' &&
                all.data &&
                ` Nu geldt de werkweek van ${holds ? workWeekOwnerText(holds) : 'de organisatie'}.`}{' '}
              Vul de dagen in en kies Bewaar.
            </p>
          )}
          {listed?.overruled.slice(0, 5).map(({ serialNumber, alias, winner }) => (
            <p className="my-4" key={serialNumber}>
              Geldt niet voor {alias || serialNumber}: daar geldt de werkweek van {workWeekOwnerText(winner)}.
            </p>
          ))}
          <p className="my-4">{WORK_WEEK_PRECEDENCE_TEXT}</p>
          <WorkWeekForm stored={first} onSave={save}>
            {data.week && (
              <Button variant="subtle" color="red.9" size="md" onClick={() => setDeleting(true)}>
                Verwijder de eigen werkweek
              </Button>
            )}
          </WorkWeekForm>
        </>
      )}
      {isDeleting && data && (
        <ConfirmDialog
          question="Weet je zeker dat je deze werkweek wilt verwijderen"
          onYes={remove}
          onClose={() => setDeleting(false)}
          fallback="De werkweek is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            Voor {WORK_WEEK_OWNER_TEXTS[of.by]} <strong>{data.targetName}</strong> geldt daarna weer een
            andere werkweek.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}
