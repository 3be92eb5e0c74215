import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LmbLogger } from '#shared/contract/lmb-loggers.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useNow } from '#web/lib/now.ts';
import { DeletedList } from '#web/machines/deleted-list.tsx';
import { LmbLoggerStatus } from '#web/machines/logger-now.tsx';
import { loggerPath } from '#web/machines/page-path.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange, useSendChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { CardActions, CardList, CardTitle, LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddLink } from '#web/ui/link.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';

/** Interval of the page's clock: short, so that the shown ages (whole minutes) change on time. */
const CLOCK_STEP_MS = 10_000;

/** Page '/lmb-logging/': the LMB loggers. The title is the label that the page has in the user's menu (LOG-01, APP-06). */
export function LmbLoggersPage() {
  const isAdmin = isActionAllowed(useUser(), 'manage-loggers');
  const loggers = useQuery(readQuery('GET /api/berend/get'));
  const now = useNow(CLOCK_STEP_MS);
  const send = useSendChange();
  const [note, setNote] = useNote();
  const [chosen, setChosen] = useState<LmbLogger>();

  const remove = async ({ loggerid, alias }: LmbLogger): Promise<void> => {
    const { message } = await send('DELETE /api/berend/delete', { query: { loggerid } });
    setNote(`${alias}: ${message}`);
  };

  return (
    <Page
      title={isAdmin ? 'LMB Logging' : 'Machines'}
      back="/"
      action={
        isAdmin ? <AddLink to="/lmb-logging/nieuw" label="Maak een nieuwe LMB logging machine" /> : undefined
      }
    >
      <OutcomeNotice note={note} />
      <LoadedList query={loggers} empty={<NoLoggers isAdmin={isAdmin} />}>
        {(all) => (
          <SearchedList
            items={all}
            textOf={({ alias, loggerid, cleanorg: organizationName }) =>
              `${alias}\n${loggerid}\n${organizationName}`
            }
            label="Zoek een machine"
            placeholder="Naam, nummer of bedrijf"
            plural="machines"
          >
            {(found) => (
              <CardList label="Machines" items={found} keyOf={({ loggerid }) => loggerid}>
                {(logger) => (
                  <LoggerCard
                    logger={logger}
                    now={now}
                    to={loggerPath(logger, all)}
                    onDelete={isAdmin ? () => setChosen(logger) : undefined}
                  />
                )}
              </CardList>
            )}
          </SearchedList>
        )}
      </LoadedList>
      {isAdmin && <DeletedLoggers onRestored={setNote} />}
      {chosen && (
        <ConfirmDialog
          question="Weet je zeker dat je deze machine wilt verwijderen"
          onYes={() => remove(chosen)}
          onClose={() => setChosen(undefined)}
          fallback="De machine is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>
              {chosen.alias} (#{chosen.loggerid})
            </strong>
            , {chosen.cleanorg}
          </p>
          <p>
            De logger wordt geweigerd. Haar metingen en de sleutel van de logger blijven nog een tijd: zo lang
            kun je haar onder ‘Verwijderde machines’ terugzetten.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function DeletedLoggers({ onRestored }: { readonly onRestored: (message: string) => void }) {
  const { mutateAsync: restore } = useChange('POST /api/berend/restore');
  return (
    <DeletedList
      query={useQuery(readQuery('GET /api/berend/get/deleted'))}
      about={({ loggerid }) => `#${loggerid}`}
      onRestore={async ({ _id, alias }) =>
        onRestored(`${alias}: ${(await restore({ body: { _id } })).message}`)
      }
    />
  );
}

function NoLoggers({ isAdmin }: { readonly isAdmin: boolean }) {
  return (
    <EmptyState title="Er zijn nog geen machines">
      <p>
        {isAdmin
          ? 'Maak de eerste met de ronde knop hierboven.'
          : 'Zodra je organisatie een machine met logger heeft, staat die hier.'}
      </p>
    </EmptyState>
  );
}

type LoggerCardProps = {
  readonly logger: LmbLogger;
  /** Unix ms. */
  readonly now: number;
  readonly to: string;
  /** Opens the dialog that confirms the deletion; undefined if the user may not delete loggers. */
  readonly onDelete: (() => void) | undefined;
};

/** Card of one logger with its present state; the whole card links to the logger's page (LOG-01). */
function LoggerCard({
  logger: { alias, loggerid, cleanorg: organizationName },
  to,
  now,
  onDelete,
}: LoggerCardProps) {
  return (
    <>
      <CardTitle to={to} label={`${alias}, ${loggerid}`}>
        {alias}
      </CardTitle>
      <p>#{loggerid}</p>
      <p>{organizationName}</p>
      <LmbLoggerStatus loggerid={loggerid} now={now} />
      {onDelete && (
        <CardActions>
          <DeleteButton word="Delete" of={alias} onClick={onDelete} />
        </CardActions>
      )}
    </>
  );
}
