import type { ReactNode } from 'react';
import { useNote } from '#web/lib/arrival-note.ts';
import { useMachine } from '#web/machines/use-machine.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { OutcomeNotice, RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { EditMachineForm } from './edit-machine-form.tsx';
import { ManualPanel, PhotoPanel } from './file-panels.tsx';
import { FormerOwnersPanel } from './former-owners-panel.tsx';
import styles from './machine-form.module.css';

type EditMachinePageProps = {
  readonly serial: string;
  /** The panels about the logger, rendered once the machine is loaded. */
  readonly logger: ReactNode;
  /** The table of log files, as wide as the page. */
  readonly logFiles: ReactNode;
};

/** Page '/machine/edit/{serialNumber}': edits a machine (MEDIT-07 to MEDIT-10, MEDIT-15). */
export function EditMachinePage({ serial, logger, logFiles }: EditMachinePageProps) {
  const machine = useMachine(serial);
  const [note] = useNote();
  return (
    <Page
      title="Update Een Machine"
      back="/machine/"
      action={<TextLink to="/machine/handleiding">Handleiding</TextLink>}
    >
      <OutcomeNotice note={note} />
      <RetryAlert query={machine} fallback="De machine is niet geladen." />
      {machine.data === undefined && !machine.error && <CardSkeletons />}
      {machine.data && (
        <div className={`${styles.columns} stack gap-6 top`}>
          <div className="stack gap-4 shrink">
            <EditMachineForm machine={machine.data} />
          </div>
          <div className="stack gap-4 shrink">
            <PhotoPanel serial={machine.data.serialNumber} alias={machine.data.alias} />
            <ManualPanel serial={machine.data.serialNumber} />
            {logger}
            <FormerOwnersPanel serial={machine.data.serialNumber} owner={machine.data.organization} />
          </div>
          <div className={styles.wide}>{logFiles}</div>
        </div>
      )}
    </Page>
  );
}
