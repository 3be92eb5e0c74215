import { useState } from 'react';
import type { FoundContradiction } from '#shared/contract/definition.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import type { MappingDraft } from './mapping-draft.ts';
import { repairedDraft } from './mapping-repair.ts';
import { signalLabel } from './signal-text.ts';

type ContradictionPanelProps = {
  readonly found: FoundContradiction;
  readonly draft: MappingDraft;
  /** Whether the editor has unsaved changes, which the user must save before the repair. */
  readonly isDirty: boolean;
  /** Saves the repaired mapping and decodes the stored log files again. */
  readonly onRepair: (draft: MappingDraft) => Promise<void>;
};

/** Panel that explains which signal contradicts the other signals, and repairs its mapping with one click. */
export function ContradictionPanel({ found, draft, isDirty, onRepair }: ContradictionPanelProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { signal, factor, offset, text } = found;
  const repair = repairedDraft(draft, found);
  const press = async (): Promise<void> => {
    if (!repair || isBusy || isDirty) return;
    setIsBusy(true);
    setFailure(undefined);
    try {
      await onRepair(repair.draft);
    } catch (error) {
      setFailure(failureText(error, 'De koppeling is niet hersteld. Probeer het opnieuw.'));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Panel title="Tegenstrijdige signalen">
      <div className="column gap-3 top">
        <p className="strong">{text}.</p>
        {repair && (
          <>
            <p className="quiet">
              Het gaat om {repair.names.map(signalLabel).join(', ')}. Na het herstel worden de bewaarde
              logbestanden opnieuw gedecodeerd.
            </p>
            <BusyButton isBusy={isBusy} aria-disabled={isDirty || undefined} onClick={() => void press()}>
              {`Herstel met factor ${formatExactNumber(factor ?? 1)}${offset === 0 ? '' : ` en offset ${formatExactNumber(offset)}`}`}
            </BusyButton>
            {isDirty && <p className="quiet">Sla eerst je wijzigingen op.</p>}
          </>
        )}
        {!repair && <p className="quiet">{whatToChange(found, signal)}</p>}
        <FailureAlert>{failure}</FailureAlert>
      </div>
    </Panel>
  );
}

/** Returns a Dutch text about what the user can change if the portal cannot repair the mapping. */
function whatToChange({ factor }: FoundContradiction, signal: FoundContradiction['signal']): string {
  const name = signal === 'Soc' ? 'de laadtoestand' : signal;
  return factor === null
    ? `Controleer de factor van ${name} in de koppeling of in de logger.`
    : `${signal === 'Soc' ? 'De laadtoestand' : name} is hier niet gekoppeld: de logger stuurt de waarde zelf. Wijzig de factor in de configuratie van de logger.`;
}
