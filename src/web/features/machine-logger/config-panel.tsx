import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { LoggerHealth } from '#shared/contract/writers.ts';
import { checkLoggerSerial } from '#shared/domain/identifiers.ts';
import { Form } from '#web/ui/form.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { StepList } from '#web/ui/step-list.tsx';
import styles from './config-panel.module.css';
import { configAdvice, configSteps } from './config-state.ts';
import { DownloadLink } from './download-link.tsx';
import { useContinue } from './use-continue.ts';

type ConfigPanelProps = { readonly serial: string; readonly health: LoggerHealth };

/** How far the logger's configuration is, what it still lacks, and the button that goes on (MEDIT-05, MEDIT-10). */
export function ConfigPanel({ serial, health }: ConfigPanelProps) {
  const { chain, config, missing } = health;
  const { said, goOn } = useContinue(serial, chain.writer);
  const [loggerSerial, setLoggerSerial] = useState(useTypedLogger());
  const advice = configAdvice(health);
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
        </div>
      )}
      {advice && <p className={styles.advice}>{advice}</p>}
      {chain.config && <DownloadLink serial={serial} />}
      {(!chain.config || config.outdated || missing.length > 0) && (
        <Form
          key={String(chain.writer)}
          submit={chain.config ? 'Maak nieuwe configuratie' : 'Ga verder'}
          fallback="Dat is niet gelukt. Probeer het opnieuw."
          check={() => (chain.writer ? undefined : loggerFault(loggerSerial))}
          onSubmit={() => goOn(loggerSerial)}
        >
          {!chain.writer && (
            <TextInput
              label="Serienummer van de logger"
              description="7 cijfers, op de logger"
              required
              withAsterisk={false}
              size="md"
              inputMode="numeric"
              autoComplete="off"
              maxLength={16}
              value={loggerSerial}
              onChange={({ currentTarget }) => setLoggerSerial(currentTarget.value)}
            />
          )}
        </Form>
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

function loggerFault(text: string): string | undefined {
  const checked = checkLoggerSerial(text);
  return checked.ok ? undefined : checked.reason;
}

/** What was typed on the page that began the chain and sent its user here. */
function useTypedLogger(): string {
  const { state } = useLocation();
  const typed = (state as { readonly loggerSerial?: unknown } | null)?.loggerSerial;
  return typeof typed === 'string' ? typed : '';
}
