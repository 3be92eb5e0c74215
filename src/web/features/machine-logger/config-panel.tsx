import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { LoggerHealth } from '#shared/contract/writers.ts';
import { checkLoggerSerial, kindOfLogger } from '#shared/domain/identifiers.ts';
import { failureText } from '#web/lib/api.ts';
import { useNow } from '#web/lib/now.ts';
import {
  configParts,
  configPath,
  downloadConfig,
  type NamedLogger,
  runChain,
  writerPart,
} from '#web/machines/creation-chain.ts';
import { NETWORK_PANEL, STEP_PLACES } from '#web/machines/missing-steps.ts';
import { type LoggerElsewhere, loggerElsewhere, MoveLogger } from '#web/machines/move-logger.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { StepList } from '#web/ui/step-list.tsx';
import { CanedgeSettings } from './canedge-panel.tsx';
import { configAdvice, configSteps } from './config-state.ts';
import { useRenewal } from './logger-calls.ts';
import { LoggerFields, numberWord } from './logger-fields.tsx';
import styles from './logger-panel.module.css';

type ConfigPanelProps = { readonly serial: string; readonly health: LoggerHealth };

/** How far the logger's configuration is, what it still lacks, and the button that goes on (MEDIT-05, MEDIT-10). */
export function ConfigPanel({ serial, health }: ConfigPanelProps) {
  const { chain, config, missing, missingSteps, plannedLogger } = health;
  const { said, elsewhere, goOn } = useContinue(serial, chain.writer);
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
        <div className={styles.missing}>
          <p>Dit ontbreekt nog voor een configuratie:</p>
          <ul>
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <div className={styles.actions}>
            {missingSteps.map((step) =>
              step === 'network' ? (
                <Button key={step} variant="default" size="md" component="a" href={`#${NETWORK_PANEL}`}>
                  {STEP_PLACES[step].words}
                </Button>
              ) : (
                <Button
                  key={step}
                  variant="default"
                  size="md"
                  component={Link}
                  to={STEP_PLACES[step].path(serial)}
                >
                  {STEP_PLACES[step].words}
                </Button>
              ),
            )}
          </div>
        </div>
      )}
      {advice && <p className={styles.advice}>{advice}</p>}
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
          check={() => (chain.writer ? undefined : loggerFaults(typed))}
          inputNames={INPUT_NAMES}
          onSubmit={() => goOn(logger)}
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
                <MoveLogger logger={elsewhere} onMove={({ at }) => goOn(logger, at)} />
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
          onYes={() => goOn(logger)}
          onClose={() => setIsAsking(false)}
          fallback="Er is geen nieuwe configuratie gemaakt. Probeer het opnieuw."
        >
          <p>De configuratie van nu klopt nog. Een nieuwe moet ook weer in de logger worden geladen.</p>
        </ConfirmDialog>
      )}
      <p role="status" className={styles.said}>
        {said}
      </p>
      <TextLink to={`/machine/edit/${encodeURIComponent(serial)}/definitie`}>
        Datadefinitie en signalen
      </TextLink>
    </Panel>
  );
}

/** Of writer/move. */
const INPUT_NAMES = { influx_serial: 'influxserienummer' };

function loggerFaults({ kind, serial }: NamedLogger): readonly InputError[] {
  const checked = checkLoggerSerial(serial, kind);
  const word = numberWord(kind, 'van de logger');
  return checked.ok ? [] : [{ name: 'influxserienummer', word, message: checked.reason }];
}

/** What was typed on the page that began the chain and sent its user here. */
function useTypedLogger(): string {
  const { state } = useLocation();
  const typed = (state as { readonly loggerSerial?: unknown } | null)?.loggerSerial;
  return typeof typed === 'string' ? typed : '';
}

type Continue = {
  /** What the server said of the steps of this time. */
  readonly said: string | undefined;
  /** Rejects with why it stopped; what was done before that stays, and is shown. */
  readonly goOn: (logger: NamedLogger, from?: string) => Promise<void>;
  /** The logger was refused because it reports for something else. */
  readonly elsewhere: LoggerElsewhere | undefined;
};

/** The creation chain from where it broke: the logger when none is bound, then a new configuration (MEDIT-05). */
function useContinue(serial: string, hasWriter: boolean): Continue {
  const renew = useRenewal(serial);
  const [said, setSaid] = useState<string>();
  const [elsewhere, setElsewhere] = useState<LoggerElsewhere>();
  const goOn = async (logger: NamedLogger, from?: string): Promise<void> => {
    const named = { ...logger, serial: logger.serial.trim() };
    setSaid(undefined);
    setElsewhere(undefined);
    const writer = hasWriter ? [] : [writerPart(serial, named, '', from)];
    const outcome = await runChain([...writer, ...configParts(serial, named.kind)], () => undefined);
    await renew();
    if (outcome.said.length > 0) setSaid(outcome.said.join(' '));
    if (outcome.failed) {
      setElsewhere(loggerElsewhere(outcome.failed.error, named.serial));
      throw outcome.failed.error;
    }
  };
  return { said, elsewhere, goOn };
}

/** 'Download Config Bestand' (MEDIT-10). */
function DownloadLink({ serial }: { readonly serial: string }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => downloadConfig(serial),
    onSuccess: useRenewal(serial),
  });
  const download = (event: MouseEvent): void => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <div>
      <a href={configPath(serial)} download="config.xml" className={styles.download} onClick={download}>
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
      <p className={styles.secrecy}>Bevat de geheime sleutel van de logger: geef het aan niemand anders.</p>
      <FailureAlert>{error ? failureText(error, 'Het bestand is niet gedownload.') : undefined}</FailureAlert>
    </div>
  );
}
