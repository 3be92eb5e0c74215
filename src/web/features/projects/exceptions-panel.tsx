import { type ReactNode, useState } from 'react';
import type { ProjectPage } from '#shared/contract/projects.ts';
import { useChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { assignmentTimesText } from './project-text.ts';

type Exception = ProjectPage['exceptions'][number];

type ExceptionsPanelProps = {
  readonly exceptions: readonly Exception[];
  readonly aliasOf: (serial: string) => string;
  readonly mayManage: boolean;
  readonly onNote: (note: string) => void;
};

/** Lists exceptions: machines whose positions do not put them on the project for a time. Hidden if there are none. */
export function ExceptionsPanel({ exceptions, aliasOf, mayManage, onNote }: ExceptionsPanelProps): ReactNode {
  const [asked, setAsked] = useState<Exception>();
  const { mutateAsync: undo } = useChange('POST /api/project/unexcept');
  if (exceptions.length === 0) return null;
  return (
    <Panel title="Uitgezonderd">
      <ul className="rows" aria-label="Uitgezonderd">
        {exceptions.map((one) => (
          <li key={one.exception}>
            <span>
              <strong>{aliasOf(one.serial)}</strong>
              <span className="quiet small block">positie telt niet {assignmentTimesText(one)}</span>
            </span>
            {mayManage && (
              <DeleteButton
                of={`uitzondering van ${aliasOf(one.serial)}`}
                look="icon"
                onClick={() => setAsked(one)}
              />
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          question="Weet je zeker dat je deze uitzondering wilt verwijderen"
          onYes={async () => onNote((await undo({ body: { exception: asked.exception } })).message)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            <strong>{aliasOf(asked.serial)}</strong>, {assignmentTimesText(asked)}
          </p>
          <p>De machine staat in die tijd dan weer waar haar posities zeggen.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
