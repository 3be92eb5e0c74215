import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { MISSING_STEP_LINKS } from '#web/machines/missing-steps.ts';
import { loggerElsewhere, MoveLogger } from '#web/machines/move-logger.tsx';
import { readQuery } from '#web/queries/read.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import styles from './creation.module.css';
import type { CreatedMachine } from './use-create-chain.ts';

type MissingStepActionsProps = {
  readonly creation: CreatedMachine;
  readonly dbc: (serial: string, onStored: () => void) => ReactNode;
  readonly onResume: (from?: string) => Promise<void>;
};

/**
 * Ways to continue a failed creation: upload the missing DBC file here, go to the page of another missing step,
 * move a logger that is in use elsewhere, or retry.
 */
export function MissingStepActions({ creation, dbc, onResume }: MissingStepActionsProps) {
  const { serial, logger, failed } = creation;
  const health = useQuery({
    ...readQuery('GET /api/machine/writer/health/:serial', { params: { serial } }),
    enabled: failed?.step === 'config',
  });
  const elsewhere = loggerElsewhere(failed?.error, logger.serial);
  const steps = failed?.step === 'config' ? (health.data?.missingSteps ?? []) : [];
  const others = steps.filter((step) => step !== 'dbc');
  return (
    <>
      {elsewhere && <MoveLogger logger={elsewhere} onMove={({ at }) => onResume(at)} />}
      {steps.includes('dbc') && (
        <div className="stack">
          <p>Met het DBC-bestand van de machine gaat het hier meteen verder.</p>
          {dbc(serial, () => void onResume())}
        </div>
      )}
      <div className={`${styles.ways} unless-empty cluster gap-3 stretch`}>
        {others.map((step) => (
          <Button key={step} component={Link} to={MISSING_STEP_LINKS[step].path(serial)} size="md">
            {MISSING_STEP_LINKS[step].text}
          </Button>
        ))}
        {!elsewhere && !steps.includes('dbc') && (
          <BusyButton
            isBusy={health.isFetching}
            variant={others.length > 0 ? 'default' : 'filled'}
            onClick={() => void onResume()}
          >
            Probeer opnieuw
          </BusyButton>
        )}
      </div>
    </>
  );
}
