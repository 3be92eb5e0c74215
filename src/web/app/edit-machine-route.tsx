import { useParams } from 'react-router';
import { isActionAllowed } from '#shared/domain/access.ts';
import { EditMachinePage } from '#web/features/machine-form/edit-machine-page.tsx';
import { ClosedWeeksPanel } from '#web/features/machine-logger/closed-weeks-panel.tsx';
import { LogFilesPanel } from '#web/features/machine-logger/log-files-panel.tsx';
import { LoggerPanel } from '#web/features/machine-logger/logger-panel.tsx';
import { historyPath } from '#web/machines/page-path.ts';
import { useUser } from '#web/session/user.ts';

/** Combines two features on one page: a machine's record, and its logger with the log files. */
export function EditMachineRoute() {
  const { serialNumber = '' } = useParams();
  const isAdministrator = isActionAllowed(useUser(), 'operate');
  return (
    <EditMachinePage
      key={serialNumber}
      serial={serialNumber}
      logger={<LoggerPanel serial={serialNumber} />}
      logFiles={
        <>
          <LogFilesPanel serial={serialNumber} historyPath={(range) => historyPath(serialNumber, range)} />
          {isAdministrator && <ClosedWeeksPanel serial={serialNumber} />}
        </>
      }
    />
  );
}
