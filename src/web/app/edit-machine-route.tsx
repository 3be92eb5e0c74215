import { useParams } from 'react-router';
import { EditMachinePage } from '#web/features/machine-form/edit-machine-page.tsx';
import { LoggerPanel } from '#web/features/machine-logger/logger-panel.tsx';
import { historyPath } from '#web/machines/page-path.ts';

/** A machine's record beside its logger: two features on one page. */
export function EditMachineRoute() {
  const { serialNumber = '' } = useParams();
  return (
    <EditMachinePage
      key={serialNumber}
      serial={serialNumber}
      logger={<LoggerPanel serial={serialNumber} historyPath={(range) => historyPath(serialNumber, range)} />}
    />
  );
}
