import { Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { failureText } from '#web/lib/api.ts';
import { type ChainStep, STEP_TEXTS } from '#web/machines/creation-chain.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { StepList } from '#web/ui/step-list.tsx';
import styles from './creation.module.css';
import { MissingStepActions } from './missing-step.tsx';
import { OpenProposals, useOpenProposals } from './open-proposals.tsx';
import type { CreatedMachine } from './use-create-chain.ts';

/** Shows which step of making a machine is running. The user cannot close the dialog, because the steps would continue. */
export function ChainDialog({ step }: { readonly step: ChainStep }) {
  return (
    <Dialog title="Laden... dit kan even duren" onClose={() => undefined}>
      <p role="status" className="row gap-3 no-outline" data-first tabIndex={-1}>
        <Loader size="1.25rem" aria-hidden />
        {STEP_TEXTS[step][0]}
      </p>
    </Dialog>
  );
}

const STEPS: readonly ChainStep[] = ['record', 'writer', 'config', 'download'];

type CreationResultProps = {
  readonly creation: CreatedMachine;
  readonly dbc: (serial: string, onStored: () => void) => ReactNode;
  readonly onResume: (from?: string) => Promise<void>;
  readonly onAnother: () => void;
};

/** Result of making a machine: the completed steps and, if one failed, the reason and the ways to continue (MEDIT-05). */
export function CreationResult({ creation, dbc, onResume, onAnother }: CreationResultProps) {
  const { serial, alias, logger, done, messages, failed } = creation;
  const isCanedge = logger.kind === 'canedge';
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    result.current?.focus({ preventScroll: true });
  }, []);
  const open = useOpenProposals(serial, !failed);
  const edit = `/machine/edit/${encodeURIComponent(serial)}`;
  return (
    <div ref={result} tabIndex={-1} className={`${styles.result} no-outline`}>
      <Panel title={failed ? `${alias} is gemaakt, maar nog niet klaar` : `${alias} is gemaakt`}>
        <StepList
          steps={STEPS.filter((step) => !isCanedge || step !== 'download').map((step) => ({
            text: STEP_TEXTS[step][done.includes(step) ? 1 : 0],
            state: done.includes(step) ? 'done' : step === failed?.step ? 'failed' : 'open',
          }))}
        />
        {failed && (
          <p className="alert">
            <strong>{STEP_TEXTS[failed.step][0]} is niet gelukt.</strong>{' '}
            {failureText(failed.error, 'Probeer het opnieuw.')}
          </p>
        )}
        {messages.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {failed && <MissingStepActions creation={creation} dbc={dbc} onResume={onResume} />}
        {open > 0 && <OpenProposals serial={serial} count={open} kind={logger.kind} />}
        {!failed && isCanedge && (
          <p>
            De instellingen voor de CANedge staan op de pagina van de machine, bij Configuratie van de logger.
          </p>
        )}
        {!failed && !isCanedge && (
          <p>
            Laad config.xml {open > 0 ? 'daarna' : 'nu'} in de logger. Hoe dat gaat staat in de{' '}
            <Link to="/machine/handleiding" className="strong">
              Handleiding
            </Link>
            .
          </p>
        )}
        <div className={`${styles.ways} unless-empty cluster gap-3 stretch`}>
          {failed ? (
            <Button
              component={Link}
              to={edit}
              state={{ loggerSerial: logger.serial }}
              variant="default"
              size="md"
            >
              Ga verder bij de machine
            </Button>
          ) : (
            <Button component={Link} to="/machine/" size="md">
              Naar Machines
            </Button>
          )}
          <Button variant="default" size="md" onClick={onAnother}>
            Nog een machine
          </Button>
          {!failed && (
            <Button component={Link} to={edit} variant="default" size="md">
              {isCanedge ? 'Naar de machine' : 'Foto en handleiding toevoegen'}
            </Button>
          )}
        </div>
      </Panel>
    </div>
  );
}
