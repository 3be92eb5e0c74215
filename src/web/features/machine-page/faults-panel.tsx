import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Fault } from '#shared/contract/fault-codes.ts';
import { faultCodeText, faultKey, faultSourceText, fmiText, LAMP_TEXTS } from '#shared/domain/fault-codes.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { CardList } from '#web/ui/card-list.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { faultTimeText, occurrencesText } from './fault-text.ts';
import styles from './faults-panel.module.css';
import { RANGE_POLL_MS } from './history-queries.ts';
import { Section } from './section.tsx';

/** Number of faults shown at first, and after each press of the button that shows more. */
const STEPS = [20, 100, 1_000] as const;

/** Panel with the fault codes that the machine's ECUs report. Hidden for a machine without DM1. */
export function FaultsPanel({ serial }: { readonly serial: string }): ReactNode {
  const [step, setStep] = useState(0);
  const query = useQuery({
    ...readQuery('GET /api/fault/get', { query: { serial, most: STEPS[step] ?? STEPS[0] } }),
    placeholderData: keepPreviousData,
    refetchInterval: RANGE_POLL_MS,
  });
  const { limit } = useUser();
  const { data } = query;
  if (!data?.hasDm1 && !query.error) return null;
  return (
    <Section
      id="storingen"
      title="Storingen"
      attention={activeText(data?.faults)}
      action={
        data && data.total > 0 && !limit?.onlyToday ? (
          <TextLink to={`/rapporten/storingen?periode=dit-jaar&machine=${encodeURIComponent(serial)}`}>
            Rapport
          </TextLink>
        ) : undefined
      }
    >
      <RetryAlert query={query} fallback="De storingen zijn niet geladen." />
      {data?.total === 0 && <p>De machine meldt geen storingen.</p>}
      {data && data.total > 0 && (
        <CardList
          label="Storingen"
          items={data.faults}
          keyOf={(fault) => `${faultKey(fault)} ${fault.since}`}
        >
          {(fault) => <FaultCard fault={fault} />}
        </CardList>
      )}
      {data && data.faults.length < data.total && step < STEPS.length - 1 && (
        <Button
          variant="default"
          size="md"
          loading={query.isPlaceholderData}
          onClick={() => setStep(step + 1)}
        >
          Toon meer storingen
        </Button>
      )}
      {data && data.faults.length < data.total && step === STEPS.length - 1 && !query.isPlaceholderData && (
        <p className="quiet">
          Dit zijn {data.faults.length} van de {data.total} storingen: de actieve en de nieuwste.
        </p>
      )}
    </Section>
  );
}

/** Returns for example '2 actief'; undefined without active faults, and while they are not loaded. */
function activeText(faults: readonly Fault[] = []): string | undefined {
  const active = faults.filter(({ over }) => over === null).length;
  return active > 0 ? `${active} actief` : undefined;
}

function FaultCard({ fault }: { readonly fault: Fault }): ReactNode {
  const meaning = fmiText(fault.fmi);
  const occurrences = occurrencesText(fault);
  return (
    <>
      <h3>{faultCodeText(fault)}</h3>
      {meaning !== undefined && <p className={styles.meaning}>{meaning}</p>}
      {fault.lamp !== null && (
        <p className={styles.lamp} data-lamp={fault.lamp} data-active={fault.over === null}>
          {LAMP_TEXTS[fault.lamp]}
        </p>
      )}
      <p>{faultTimeText(fault)}</p>
      <p className="quiet">
        {faultSourceText(fault)}
        {occurrences !== undefined && `; ${occurrences}`}
      </p>
    </>
  );
}
