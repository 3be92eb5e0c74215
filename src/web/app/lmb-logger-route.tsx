import { useParams, useSearchParams } from 'react-router';
import { isActionAllowed } from '#shared/domain/access.ts';
import { LmbLoggerPage } from '#web/features/lmb-logger-page/lmb-logger-page.tsx';
import { ClosedWeeksPanel } from '#web/features/machine-logger/closed-weeks-panel.tsx';
import { LogFilesPanel } from '#web/features/machine-logger/log-files-panel.tsx';
import { LoggerPanel } from '#web/features/machine-logger/logger-panel.tsx';
import { useUser } from '#web/session/user.ts';

/** Combines two features on one page: an LMB logger's history, and the logger itself for administrators. */
export function LmbLoggerRoute() {
  const { alias = '' } = useParams();
  const organization = useSearchParams()[0].get('organization') ?? undefined;
  const user = useUser();
  const isAdmin = isActionAllowed(user, 'manage-loggers');
  return (
    <LmbLoggerPage
      key={`${alias} ${organization}`}
      alias={alias}
      organization={organization}
      {...(isAdmin && {
        below: (loggerid: string) => (
          <>
            <LoggerPanel serial={loggerid} />
            <LogFilesPanel serial={loggerid} />
            {isActionAllowed(user, 'operate') && <ClosedWeeksPanel serial={loggerid} />}
          </>
        ),
      })}
    />
  );
}
