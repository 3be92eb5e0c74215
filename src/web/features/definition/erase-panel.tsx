import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Erasure, ErasurePreview, Erasures } from '#shared/contract/erasures.ts';
import { dateAndTime, formatNumber } from '#shared/domain/nl.ts';
import { callApi } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FormSelect } from '#web/ui/form-input.tsx';
import { Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { RangeFields } from '#web/ui/range-fields.tsx';
import { signalLabel } from './signal-text.ts';

const HOUR_MS = 3_600_000;
const POLL_MS = 1_000;

/** Panel 'Metingen wissen': erases the values of a signal in an interval, and restores what was erased in the last 30 days. */
export function ErasePanel({ serial }: { readonly serial: string }) {
  const { query, keep } = useErasures(serial);
  const [range, setRange] = useState(() => ({ from: Date.now() - HOUR_MS, to: Date.now() }));
  const [signal, setSignal] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const [undone, setUndone] = useState<Erasure>();
  const [note, setNote] = useState<string>();
  const interval = {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    ...(signal !== '' && { signal }),
  };
  const isBackward = range.from >= range.to;
  const { erasures = [], signals = [] } = query.data ?? {};
  return (
    <Panel title="Metingen wissen">
      <p className="quiet measure">
        Voor waarden die niet kloppen, zoals een laadtoestand van het verkeerde signaal. Draaiuren, energie en
        grafieken volgen. Wat gewist is, kun je 30 dagen lang terugzetten.
      </p>
      <RetryAlert query={query} fallback="Wat er gewist is, is niet geladen." />
      <div className="cluster gap-2-6 bottom">
        <RangeFields
          range={range}
          latest={Date.now()}
          errors={isBackward ? { to: 'Het eind ligt niet na het begin.' } : {}}
          onChange={(change) => setRange((before) => ({ ...before, ...change }))}
        />
        <FormSelect
          label="Wat"
          name="erased"
          value={signal}
          onChange={({ currentTarget }) => setSignal(currentTarget.value)}
        >
          <option value="">Alle metingen</option>
          {signals
            .filter((name) => name !== 'LONGITUDE')
            .map((name) => (
              <option key={name} value={name}>
                {erasedText(name)}
              </option>
            ))}
        </FormSelect>
        <Button
          variant="default"
          size="md"
          aria-disabled={isBackward || undefined}
          onClick={() => isBackward || setIsAsking(true)}
        >
          Bekijk wat er gewist wordt
        </Button>
      </div>
      <Notice>{erasures.some(isUnderWay) ? note : undefined}</Notice>
      {erasures.length > 0 && (
        <ul className="rows">
          {erasures.map((erasure) => (
            <li key={erasure.id}>
              <span>{erasureText(erasure)}</span>
              {(erasure.state === 'done' || erasure.state === 'failed') && (
                <Button variant="default" size="md" onClick={() => setUndone(erasure)}>
                  Zet terug
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAsking && (
        <EraseDialog
          serial={serial}
          interval={interval}
          onYes={async () => {
            keep(await callApi('POST /api/machine/erasure/create', { body: { serial, ...interval } }));
            setNote('De metingen worden gewist.');
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
      {undone && (
        <ConfirmDialog
          question="Wil je terugzetten wat gewist is"
          kind="change"
          fallback="De metingen zijn niet teruggezet. Probeer het opnieuw."
          onYes={async () => {
            keep(await callApi('POST /api/machine/erasure/undo', { body: { serial, id: undone.id } }));
            setNote('De metingen worden teruggezet.');
          }}
          onClose={() => setUndone(undefined)}
        >
          <p>{erasureText(undone)}. Wat intussen binnenkwam, blijft.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

/** Loads the erasures, and reloads them every POLL_MS while an erasure runs. */
function useErasures(serial: string) {
  const client = useQueryClient();
  const erasures = readQuery('GET /api/machine/erasure/:serial', { params: { serial } });
  const query = useQuery({
    ...erasures,
    refetchInterval: ({ state }) => (state.data?.erasures.some(isUnderWay) ? POLL_MS : false),
  });
  return { query, keep: (answer: Erasures) => client.setQueryData(erasures.queryKey, answer) };
}

const isUnderWay = ({ state }: Erasure): boolean =>
  state === 'waiting' || state === 'running' || state === 'undoing';
/** Shows LATITUDE as the whole position, because the server erases latitude and longitude together. */
const erasedText = (name: string): string => (name === 'LATITUDE' ? 'Positie' : signalLabel(name));

type EraseDialogProps = {
  readonly serial: string;
  readonly interval: { readonly from: string; readonly to: string; readonly signal?: string };
  readonly onYes: () => Promise<void>;
  readonly onClose: () => void;
};

function EraseDialog({ serial, interval, onYes, onClose }: EraseDialogProps) {
  const preview = useQuery({
    ...readQuery('GET /api/machine/erasure/:serial/preview', { params: { serial }, query: interval }),
    gcTime: 0,
  });
  return (
    <ConfirmDialog
      question="Weet je zeker dat je deze metingen wilt wissen"
      fallback={
        preview.data
          ? 'De metingen zijn niet gewist. Probeer het opnieuw.'
          : 'Wacht tot er staat wat er gewist wordt.'
      }
      onYes={async () => {
        if (!preview.data) throw new Error('The preview is not loaded yet.');
        await onYes();
      }}
      onClose={onClose}
    >
      <RetryAlert query={preview} fallback="Wat er gewist wordt, is niet geladen." />
      {preview.data && <p>{previewText(preview.data, interval)}</p>}
    </ConfirmDialog>
  );
}

function previewText(
  { readings, values, owners }: ErasurePreview,
  { from, to, signal }: EraseDialogProps['interval'],
): string {
  const what = signal === undefined ? 'alle waarden' : erasedText(signal);
  const count =
    values === null
      ? `${formatNumber(readings)} metingen`
      : `${formatNumber(values)} van de ${formatNumber(readings)} metingen`;
  const owned = owners.length > 1 ? ` In die tijd was de machine van ${owners.join(' en ')}.` : '';
  return `Van ${dateAndTime(Date.parse(from))} tot ${dateAndTime(Date.parse(to))}: ${what}, uit ${signal === undefined || values !== null ? '' : 'hoogstens '}${count}.${owned}`;
}

const STATES: Readonly<Record<Erasure['state'], string>> = {
  waiting: 'wordt gewist',
  running: 'wordt gewist',
  done: 'gewist',
  failed: 'mislukt',
  undoing: 'wordt teruggezet',
  undone: 'teruggezet',
};

/** Returns for example 'Laadtoestand accu 1, 27-11-26, 13:00 tot 27-11-26, 14:00: gewist, 60 metingen (27-11-26, 15:00, Jan)'. */
function erasureText({ signal, from, to, state, readings, madeBy, madeAt }: Erasure): string {
  const what = signal === null ? 'Alle metingen' : erasedText(signal);
  const [begin, end, at] = [from, to, madeAt].map((iso) => dateAndTime(Date.parse(iso)));
  return `${what}, ${begin} tot ${end}: ${STATES[state]}, ${formatNumber(readings)} ${readings === 1 ? 'meting' : 'metingen'} (${at}, ${madeBy ?? 'onbekend'})`;
}
