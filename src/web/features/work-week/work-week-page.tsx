import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { isActionAllowed } from '#shared/domain/access.ts';
import { nextShift, shiftAt, type WorkWeek } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { clockTime, dayText } from '#shared/domain/nl.ts';
import { callApi } from '#web/lib/api.ts';
import { useNow } from '#web/lib/now.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { OwnWeeksPanel } from './own-weeks-panel.tsx';
import { WorkWeekForm, workWeekInputOf } from './work-week-form.tsx';

const MINUTE_MS = 60_000;

/** Page '/organization/:name/werkweek': the organization's work week, used by alerts. Only for users who manage its users. */
export function WorkWeekPage() {
  const { name = '' } = useParams();
  const stored = readQuery('GET /api/workweek/get', { query: { name } });
  const client = useQueryClient();
  const user = useUser();
  const week = useQuery(stored);
  return (
    <Page title="Werkweek" back={`/organization/${name}`}>
      <RetryAlert query={week} fallback="De werkweek is niet geladen." />
      {week.data === undefined && !week.error && <CardSkeletons />}
      {week.data && (
        <>
          <p className="my-4">
            Meldingen gaan hiervan uit: wat buiten werktijd is, en wanneer een dienst begint.{' '}
            <CurrentShift week={week.data} />
          </p>
          <WorkWeekForm
            key={name}
            stored={week.data}
            onSave={async (week) => {
              const body = { name, ...workWeekInputOf(week) };
              const now = await callApi('POST /api/workweek/set', { body });
              client.setQueryData(stored.queryKey, now);
              return now;
            }}
          />
          {/* LMB customers have no labels, projects and machines. */}
          {isActionAllowed(user, 'see-machines') && <OwnWeeksPanel name={name} />}
        </>
      )}
    </Page>
  );
}

/** Shows the present or next shift of the stored week, so that the user notices mistakes in the week. */
export function CurrentShift({ week }: { readonly week: WorkWeek }) {
  const now = useNow(MINUTE_MS);
  const running = shiftAt(week, now);
  const shift = running ?? nextShift(week, now);
  if (!shift) return <strong>Er komt het komende jaar geen dienst.</strong>;
  return (
    <strong>
      {running ? 'De dienst die nu loopt' : 'De volgende dienst'}: {dayText(amsterdamDay(shift.from))}, van{' '}
      {clockTime(shift.from)} tot {clockTime(shift.to)}.
    </strong>
  );
}
