import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { isActionAllowed } from '#shared/domain/access.ts';
import { useUser } from '#web/session/user.ts';

const Editor = lazy(async () => ({ default: (await import('./label-editor.tsx')).LabelEditor }));

type LabelButtonProps = {
  readonly serial: string;
  readonly alias: string;
  /** Functional name of the machine's organization: its name in calls and addresses. */
  readonly organization: string;
};

/** A button that opens the labels of a machine, for users who may set labels. */
export function LabelButton(machine: LabelButtonProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  if (!isActionAllowed(useUser(), 'set-labels')) return null;
  return (
    <>
      <Button
        variant="default"
        size="md"
        aria-label={`Labels van ${machine.alias}`}
        onClick={() => setIsOpen(true)}
      >
        Labels
      </Button>
      {isOpen && (
        <Suspense>
          <Editor machine={machine} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
