import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RedecodedReadingCounts, Redecoding } from '#shared/contract/definition.ts';
import { dateAndTime, formatNumber } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FailureAlert, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { MomentField } from '#web/ui/range-fields.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import { useRedecoding } from './definition-queries.ts';
import styles from './redecode-panel.module.css';
import { signalLabel } from './signal-text.ts';

const DAY_MS = 86_400_000;

/** Panel 'Decodeer logbestanden opnieuw': shows what would change, and replaces the readings. Every user sees the progress. */
export function RedecodePanel({ serial, isDirty }: { readonly serial: string; readonly isDirty: boolean }) {
  const { query, redecoding, isUnderWay, begin } = useRedecoding(serial);
  const [isAll, setIsAll] = useState(true);
  const [from, setFrom] = useState(() => Date.now() - DAY_MS);
  const [isAsking, setIsAsking] = useState(false);
  const preview = useMutation({
    mutationFn: () => begin(true, isAll ? undefined : new Date(from).toISOString()),
  });
  const { reset } = preview;
  // Removes the error of a redecoding that could not start once another redecoding has ended.
  useEffect(() => {
    if (redecoding?.state === 'done') reset();
  }, [redecoding?.state, reset]);
  const isPreviewed = redecoding?.state === 'done' && redecoding.preview;
  return (
    <Panel title="Decodeer logbestanden opnieuw">
      <p className="quiet measure">
        Een gewijzigde koppeling geldt voor wat de logger vanaf dan meet. De logbestanden van de laatste 30
        dagen, ook die van een logger die hier eerder hoorde, kun je met de koppeling van nu opnieuw laten
        decoderen: wat die bestanden hadden gebracht wordt vervangen, de rest blijft.
      </p>
      <RetryAlert query={query} fallback="Hoe ver het decoderen is, is niet geladen." />
      <div className="cluster gap-2-6">
        <TickBox
          label="Alles wat in de bewaarde logbestanden staat"
          checked={isAll}
          onChange={({ currentTarget }) => setIsAll(currentTarget.checked)}
        />
        {!isAll && (
          <MomentField label="Vanaf" which="first" value={from} latest={Date.now()} onChange={setFrom} />
        )}
        <Button
          variant="default"
          size="md"
          aria-disabled={isUnderWay || isDirty || preview.isPending || undefined}
          onClick={() => isUnderWay || isDirty || preview.isPending || preview.mutate()}
        >
          Bekijk wat er verandert
        </Button>
      </div>
      {isDirty && <p className="quiet measure">Sla eerst je wijzigingen op.</p>}
      <FailureAlert>
        {preview.error
          ? failureText(preview.error, 'Het decoderen is niet begonnen. Probeer het opnieuw.')
          : undefined}
      </FailureAlert>
      <p role="status">{redecoding ? stateText(redecoding) : undefined}</p>
      {redecoding && isUnderWay && (
        <progress
          className={styles.progress}
          aria-label="Gelezen logbestanden"
          max={Math.max(1, redecoding.files)}
          value={redecoding.filesDone}
        />
      )}
      {redecoding?.state === 'done' && <Outcome redecoding={redecoding} />}
      {isPreviewed &&
        redecoding.readings.added + redecoding.readings.changed + redecoding.readings.removed > 0 && (
          <div>
            <Button size="md" onClick={() => setIsAsking(true)}>
              Vervang de metingen
            </Button>
          </div>
        )}
      {isAsking && redecoding && (
        <ConfirmDialog
          question="Weet je zeker dat je de metingen wilt vervangen"
          kind="change"
          onYes={() => begin(false, redecoding.from ?? undefined)}
          onClose={() => setIsAsking(false)}
          fallback="Het decoderen is niet begonnen. Probeer het opnieuw."
        >
          <p>
            {countText(redecoding.readings, 'metingen')}. Draaiuren, energie en grafieken volgen. Terug kan
            door een eerdere versie terug te zetten en opnieuw te decoderen, zolang de logbestanden er zijn.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function stateText({ preview, state, files, filesDone, startedAt, startedBy, from }: Redecoding): string {
  const what = preview ? 'Wat er zou veranderen' : 'Het opnieuw decoderen';
  const since = from === null ? '' : ` vanaf ${dateAndTime(Date.parse(from))}`;
  if (state === 'waiting') return `${what} begint zo.`;
  if (state === 'failed') return `${what} is mislukt. Probeer het opnieuw.`;
  if (state === 'running')
    return filesDone < files || files === 0
      ? `${what}: ${formatNumber(filesDone)} van ${formatNumber(files)} logbestanden gelezen.`
      : `${what}: alle ${formatNumber(files)} logbestanden zijn gelezen; de metingen worden ${preview ? 'vergeleken' : 'vervangen'}.`;
  const done = preview ? 'Wat er zou veranderen' : 'Opnieuw gedecodeerd';
  return `${done}${since}, ${formatNumber(files)} ${files === 1 ? 'logbestand' : 'logbestanden'} (${dateAndTime(Date.parse(startedAt))}, ${startedBy ?? 'onbekend'}):`;
}

const countText = ({ added, changed, removed }: RedecodedReadingCounts, what: string): string =>
  `${formatNumber(added)} ${what} erbij, ${formatNumber(changed)} gewijzigd, ${formatNumber(removed)} vervallen`;

/** Returns which files were read, for example '7 van logger 1000001 (binnengekomen 01-11-26, 08:00 tot 20-11-26, 17:00)'. */
const coverText = ({ loggerSerial, files, from, to }: Redecoding['covers'][number]): string =>
  `${formatNumber(files)} van logger ${loggerSerial} (binnengekomen ${dateAndTime(Date.parse(from))} tot ${dateAndTime(Date.parse(to))})`;

function Outcome({
  redecoding: { readings, signals, findings, covers },
}: {
  readonly redecoding: Redecoding;
}) {
  const names = Object.keys(signals).sort();
  return (
    <>
      <p>
        {covers.length === 0
          ? 'Er zijn geen logbestanden bewaard.'
          : `Gelezen: ${covers.map(coverText).join('; ')}.`}
      </p>
      {names.length === 0 ? (
        <p>Niets: de metingen zijn al zo.</p>
      ) : (
        <>
          <p>{countText(readings, 'metingen')}.</p>
          <table className="table numbers measure">
            <thead>
              <tr>
                <th scope="col">Waarden van</th>
                <th scope="col">Erbij</th>
                <th scope="col">Anders</th>
                <th scope="col">Weg</th>
              </tr>
            </thead>
            <tbody>
              {names.map((name) => (
                <tr key={name}>
                  <th scope="row" className="normal">
                    {signalLabel(name)}
                  </th>
                  <td>{formatNumber(signals[name]?.added ?? 0)}</td>
                  <td>{formatNumber(signals[name]?.changed ?? 0)}</td>
                  <td>{formatNumber(signals[name]?.removed ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {findings.length > 0 && <p>Niet alles was leesbaar: {findings.join('; ')}.</p>}
    </>
  );
}
