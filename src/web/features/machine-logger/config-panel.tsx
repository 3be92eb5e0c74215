import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { LoggerHealth } from '#shared/contract/writers.ts';
import { checkLoggerSerial, kindOfLogger } from '#shared/domain/identifiers.ts';
import { failureText } from '#web/lib/api.ts';
import { useNow } from '#web/lib/now.ts';
import {
  bindLoggerStep,
  configChainSteps,
  configPath,
  downloadConfig,
  type NamedLogger,
  runCreationChain,
} from '#web/machines/creation-chain.ts';
import { MISSING_STEP_LINKS, NETWORK_PANEL } from '#web/machines/missing-steps.ts';
import { type LoggerElsewhere, loggerElsewhere, MoveLogger } from '#web/machines/move-logger.tsx';
import { refreshQueries } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { StepList } from '#web/ui/step-list.tsx';
import { CanedgeSettings } from './canedge-panel.tsx';
import { configAdvice, configSteps } from './config-state.ts';
import { LoggerFields, loggerNumberLabel } from './logger-fields.tsx';

type ConfigPanelProps = { readonly serial: string; readonly health: LoggerHealth };

/** Panel with the progress of the logger's configuration, what it lacks, and the button that continues (MEDIT-05, MEDIT-10). */
export function ConfigPanel({ serial, health }: ConfigPanelProps) {
  const { chain, config, missing, missingSteps, plannedLogger } = health;
  const { message, elsewhere, resume } = useContinue(serial, chain.writer);
  const known = useTypedLogger() || plannedLogger;
  const [typed, setTyped] = useState<NamedLogger>({ kind: kindOfLogger(known), serial: known });
  const logger = chain.writer ? { kind: health.kind, serial: health.loggerId } : typed;
  const [isAsking, setIsAsking] = useState(false);
  const advice = configAdvice(health, useNow(60_000));
  const isNeeded = !chain.config || config.outdated || missing.length > 0;
  return (
    <Panel title="Configuratie van de logger">
      <StepList steps={configSteps(health)} />
      {chain.writer && missing.length > 0 && (
        <div className="advice">
          <p>Dit ontbreekt nog voor een configuratie:</p>
          <ul className="bullets mt-1 wrap">
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <div className="mt-3 cluster gap-3 unless-empty">
            {missingSteps.map((step) =>
              step === 'network' ? (
                <Button key={step} variant="default" size="md" component="a" href={`#${NETWORK_PANEL}`}>
                  {MISSING_STEP_LINKS[step].text}
                </Button>
              ) : (
                <Button
                  key={step}
                  variant="default"
                  size="md"
                  component={Link}
                  to={MISSING_STEP_LINKS[step].path(serial)}
                >
                  {MISSING_STEP_LINKS[step].text}
                </Button>
              ),
            )}
          </div>
        </div>
      )}
      {advice && <p className="advice">{advice}</p>}
      {chain.config &&
        (health.kind === 'canedge' ? (
          <CanedgeSettings key={config.createdAt} serial={serial} />
        ) : (
          <DownloadLink serial={serial} />
        ))}
      {isNeeded ? (
        <Form
          key={String(chain.writer)}
          submit={chain.config ? 'Maak nieuwe configuratie' : 'Ga verder'}
          fallback="Dat is niet gelukt. Probeer het opnieuw."
          checksAll
          check={() => (chain.writer ? undefined : loggerErrors(typed))}
          inputNames={INPUT_NAMES}
          onSubmit={() => resume(logger)}
        >
          {!chain.writer && (
            <>
              <LoggerFields
                typed={typed}
                onChange={setTyped}
                name="influxserienummer"
                which="van de logger"
              />
              {elsewhere?.loggerSerial === typed.serial.trim() && (
                <MoveLogger logger={elsewhere} onMove={({ at }) => resume(logger, at)} />
              )}
            </>
          )}
        </Form>
      ) : (
        <div>
          <Button variant="default" size="md" onClick={() => setIsAsking(true)}>
            Maak nieuwe configuratie
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          question="Wil je een nieuwe configuratie maken"
          kind="change"
          onYes={() => resume(logger)}
          onClose={() => setIsAsking(false)}
          fallback="Er is geen nieuwe configuratie gemaakt. Probeer het opnieuw."
        >
          <p>De configuratie van nu klopt nog. Een nieuwe moet ook weer in de logger worden geladen.</p>
        </ConfirmDialog>
      )}
      <p role="status" className="unless-empty">
        {message}
      </p>
      <TextLink to={`/machine/edit/${encodeURIComponent(serial)}/definitie`}>
        Datadefinitie en signalen
      </TextLink>
    </Panel>
  );
}

/** Names of the inputs, by the parameter of the call whose error they show. */
const INPUT_NAMES = { influx_serial: 'influxserienummer' };

function loggerErrors({ kind, serial }: NamedLogger): readonly InputError[] {
  const checked = checkLoggerSerial(serial, kind);
  const word = loggerNumberLabel(kind, 'van de logger');
  return checked.ok ? [] : [{ name: 'influxserienummer', word, message: checked.reason }];
}

/** Returns the logger's serial number that the user typed on the page for a new machine, which led here; '' without one. */
function useTypedLogger(): string {
  const { state } = useLocation();
  const typed = (state as { readonly loggerSerial?: unknown } | null)?.loggerSerial;
  return typeof typed === 'string' ? typed : '';
}

type Continuation = {
  /** The server's messages about the steps of the last run. */
  readonly message: string | undefined;
  /** Runs the remaining steps of the machine's creation. Rejects with the error of the failed step; completed steps remain. */
  readonly resume: (logger: NamedLogger, from?: string) => Promise<void>;
  /** Set if the logger was refused because it reports for another machine. */
  readonly elsewhere: LoggerElsewhere | undefined;
};

/** Continues the creation of the machine: binds the logger if none is bound, then makes a configuration (MEDIT-05). */
function useContinue(serial: string, hasWriter: boolean): Continuation {
  const client = useQueryClient();
  const [message, setMessage] = useState<string>();
  const [elsewhere, setElsewhere] = useState<LoggerElsewhere>();
  const resume = async (logger: NamedLogger, from?: string): Promise<void> => {
    const named = { ...logger, serial: logger.serial.trim() };
    setMessage(undefined);
    setElsewhere(undefined);
    const writer = hasWriter ? [] : [bindLoggerStep(serial, named, '', from)];
    const outcome = await runCreationChain(
      [...writer, ...configChainSteps(serial, named.kind)],
      () => undefined,
    );
    await refreshQueries(client, 'GET /api/machine/config/create');
    if (outcome.messages.length > 0) setMessage(outcome.messages.join(' '));
    if (outcome.failed) {
      setElsewhere(loggerElsewhere(outcome.failed.error, named.serial));
      throw outcome.failed.error;
    }
  };
  return { message, elsewhere, resume };
}

/** Link 'Download Config Bestand' (MEDIT-10). */
function DownloadLink({ serial }: { readonly serial: string }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => downloadConfig(serial),
    onSuccess: () => refreshQueries(client, 'GET /api/machine/config/download'),
  });
  const download = (event: MouseEvent): void => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <div>
      <a href={configPath(serial)} download="config.xml" className="text-link" onClick={download}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path
            d="M12 4v11M7 10.5l5 5 5-5M5 19.5h14"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
        Download Config Bestand
      </a>
      <p className="quiet small">Bevat de geheime sleutel van de logger: geef het aan niemand anders.</p>
      <FailureAlert>{error ? failureText(error, 'Het bestand is niet gedownload.') : undefined}</FailureAlert>
    </div>
  );
}
