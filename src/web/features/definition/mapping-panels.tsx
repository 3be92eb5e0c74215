import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { type FormEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SeenJ1939Sources } from '#shared/contract/definition.ts';
import { comesFromGps } from '#shared/domain/open-proposals.ts';
import { catalogueSignalOf, unmappedSignals } from '#shared/domain/signal.ts';
import { Panel } from '#web/ui/panel.tsx';
import {
  bestProposals,
  customNameError,
  type DraftRow,
  draftChangeForSource,
  emptyRow,
  findOpenProposals,
  isCustomSignalName,
  type MappingDraft,
  signalUsesOf,
  unsavedProposals,
  withProposals,
} from './mapping-draft.ts';
import styles from './mapping-panels.module.css';
import { MappingRow } from './mapping-row.tsx';
import { type IndexedSignal, indexSignals } from './signal-index.ts';
import { SignalPicker } from './signal-picker.tsx';
import type { MappingEditing } from './use-editing.ts';

type MappingPanelsProps = {
  readonly editing: MappingEditing;
  readonly seen: SeenJ1939Sources | null;
  /** Whether to show all errors, even of rows that the user has not changed. */
  readonly isChecked: boolean;
};

/** Panels with a row for each signal of the portal and each custom name. A row shows the DBC signal that feeds it. */
export function MappingPanels({ editing, seen, isChecked }: MappingPanelsProps) {
  const { base, draft, change, changeRow } = editing;
  const [picking, setPicking] = useState<string>();
  const nameInput = useRef<HTMLInputElement>(null);
  const index = useMemo(() => indexSignals(base.buses), [base.buses]);
  const uses = signalUsesOf(draft, index);
  const proposals = findOpenProposals(base.proposals, draft, index);
  const best = bestProposals(base.proposals, draft, index);
  const unsaved = unsavedProposals(base, draft, index);
  const rowList = useRef<HTMLUListElement>(null);
  const targets = draft.rows.filter(({ source }) => source).map(({ to }) => to);
  const fed = new Set(targets.map(catalogueSignalOf));
  const missing = unmappedSignals(targets, base.kind).filter((to) => !comesFromGps(to)).length;

  const pick = (to: string, signal: IndexedSignal): void => {
    const row = draft.rows.find((one) => one.to === to);
    if (row) changeRow(to, draftChangeForSource(row, signal, index));
  };
  /** Accepts all proposals. The button disappears, so the focus moves to the first filled row, which the user must check. */
  const acceptAll = (): void => {
    flushSync(() => change((now) => withProposals(now, best, index)));
    rowList.current?.querySelector<HTMLElement>('[data-proposed] button')?.focus();
  };
  /** Removes a custom name. Its button disappears, so the focus moves to the field for a new custom name. */
  const remove = (name: string): void => {
    flushSync(() => change(({ rows, keep }) => ({ rows: rows.filter(({ to }) => to !== name), keep })));
    nameInput.current?.focus();
  };
  const own = draft.rows.filter(({ to }) => isCustomSignalName(to));
  const drawn = (row: DraftRow) => (
    <MappingRow
      key={row.to}
      row={row}
      index={index}
      proposal={row.source || comesFromGps(row.to) ? undefined : proposals.get(row.to)?.[0]}
      isFed={!row.source && fed.has(row.to)}
      seen={seen}
      isProposed={unsaved.has(row.to)}
      isChecked={isChecked}
      onPick={() => setPicking(row.to)}
      onAccept={(signal) => pick(row.to, signal)}
      onChange={(changes) => changeRow(row.to, changes)}
      onRemove={() => remove(row.to)}
    />
  );
  return (
    <>
      <Panel
        title="Koppeling van de signalen"
        action={
          <span role="status" className={`${styles.count} rigid px-2 small strong`} data-done={missing === 0}>
            {missing === 0 ? 'alles gekoppeld' : `${missing} nog niet gekoppeld`}
          </span>
        }
      >
        <p className="quiet measure">
          Kies per signaal van het portaal welk DBC-signaal het voedt. Waarde = DBC-waarde × factor + offset;
          leeg is factor 1 en offset 0. Wat de machine niet heeft, blijft leeg.
        </p>
        <ProposalBar open={best.size} unsaved={unsaved.size} onAccept={acceptAll} />
        <div className={styles.heads} aria-hidden="true">
          <span>Signaal</span>
          <span>Komt van</span>
          <span>Factor</span>
          <span>Offset</span>
        </div>
        <ul ref={rowList} data-definition>
          {draft.rows.filter(({ to }) => !isCustomSignalName(to)).map(drawn)}
        </ul>
      </Panel>
      <Panel title="Eigen namen">
        <p className="quiet measure">
          Voor een signaal dat het portaal niet kent, zoals een olietemperatuur: het komt onder jouw naam in
          de historie.
        </p>
        {own.length > 0 && <ul data-definition>{own.map(drawn)}</ul>}
        <CustomNameForm
          draft={draft}
          input={nameInput}
          onAdd={(row) => {
            change(({ rows, keep }) => ({ rows: [...rows, row], keep }));
            setPicking(row.to);
          }}
        />
      </Panel>
      {picking !== undefined && (
        <SignalPicker
          to={picking}
          index={index}
          proposals={proposals.get(picking) ?? []}
          uses={uses}
          onChoose={(signal) => pick(picking, signal)}
          onClose={() => setPicking(undefined)}
        />
      )}
    </>
  );
}

type ProposalBarProps = {
  /** Number of rows with a proposal that can be accepted. */
  readonly open: number;
  /** Number of rows with an accepted proposal that is not saved yet. */
  readonly unsaved: number;
  readonly onAccept: () => void;
};

/** Button that accepts all proposals, and the reminder to check and save them. A single proposal has its button in its row. */
const ProposalBar = ({ open, unsaved, onAccept }: ProposalBarProps) => (
  <>
    {open > 1 && (
      <div className={`${styles.proposals} beside-end gap-2 middle pl-3`}>
        <p>{open} signalen hebben een voorstel, naar de namen in het DBC-bestand.</p>
        <Button variant="light" size="md" onClick={onAccept}>
          Neem alle {open} over<span className="sr-only">, alle voorstellen</span>
        </Button>
      </div>
    )}
    <div role="status">
      {unsaved > 0 && (
        <p className={`${styles.unsaved} py-2 px-3 rounded`}>
          {unsaved === 1 ? '1 voorstel is' : `${unsaved} voorstellen zijn`} overgenomen en nog niet
          opgeslagen. Controleer {unsaved === 1 ? 'het' : 'ze'} en druk op Opslaan.
        </p>
      )}
    </div>
  </>
);

type CustomNameFormProps = {
  readonly draft: MappingDraft;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onAdd: (row: DraftRow) => void;
};

/** Form that adds a row with a custom name. */
function CustomNameForm({ draft, input, onAdd }: CustomNameFormProps) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const found = customNameError(name, draft);
    setError(found);
    if (found !== undefined) return;
    onAdd(emptyRow(name.trim()));
    setName('');
  };
  return (
    <form className={`${styles.customName} gap-3 top`} onSubmit={add} noValidate>
      <TextInput
        ref={input}
        label="Nieuwe naam"
        placeholder="Olietemperatuur"
        size="md"
        autoComplete="off"
        spellCheck={false}
        value={name}
        error={error}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" variant="default" size="md">
        Voeg naam toe
      </Button>
    </form>
  );
}
