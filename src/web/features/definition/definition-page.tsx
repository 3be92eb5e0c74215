import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useParams } from 'react-router';
import type { DefinitionVersion, DefinitionView } from '#shared/contract/definition.ts';
import type { LiveEntry } from '#shared/contract/live.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { J1939_SCOPE_TEXTS, type J1939Scope } from '#shared/domain/j1939.ts';
import { failureText } from '#web/lib/api.ts';
import { useFleet, useLiveEntry } from '#web/live/live.ts';
import { loggerPath } from '#web/machines/page-path.ts';
import { useUser } from '#web/session/user.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { LeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { BusPanel } from './bus-panel.tsx';
import { ChangeDialog, type ConfirmableChange } from './change-dialog.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { ContradictionPanel } from './contradiction-panel.tsx';
import styles from './definition-page.module.css';
import {
  type DbcUpload,
  definitionQuery,
  useDefinitionCalls,
  useRedecoding,
  useSeenSources,
} from './definition-queries.ts';
import { ErasePanel } from './erase-panel.tsx';
import { KeepPanel } from './keep-panel.tsx';
import { MappingPanels } from './mapping-panels.tsx';
import { RedecodePanel } from './redecode-panel.tsx';
import { SaveBar, useSaveMapping } from './save-bar.tsx';
import { SeenSourcesPanel } from './seen-panel.tsx';
import { useMappingEditing } from './use-editing.ts';
import { VersionsPanel, versionMoment } from './versions-panel.tsx';

/** Page '/machine/edit/{serial number or loggerid}/definitie': the data definition (MEDIT-12). */
export function DefinitionPage() {
  const { serialNumber = '' } = useParams();
  const metadata = useLiveEntry(serialNumber)?.metadata;
  const loggers = useFleet().filter(isLogger).map(metadataOf);
  const owner =
    metadata?.kind === 'logger'
      ? loggerPath(metadata, loggers)
      : `/machine/edit/${encodeURIComponent(serialNumber)}`;
  return (
    <Page title={`Datadefinitie: ${metadata?.alias || serialNumber}`} back={owner}>
      <DefinitionEditor key={serialNumber} serial={serialNumber} configPath={owner} />
    </Page>
  );
}

const metadataOf = ({ metadata }: LiveEntry) => metadata;
const isLogger = (entry: LiveEntry): boolean => metadataOf(entry).kind === 'logger';

type DefinitionEditorProps = {
  /** A machine's serial number, or an LMB logger's loggerid. */
  readonly serial: string;
  /** Path of the page that makes the logger's configuration. */
  readonly configPath: string;
};

/**
 * Editor of the DBC files of a machine or LMB logger, and of the mapping of DBC signals to signals of the portal
 * (MEDIT-12).
 */
function DefinitionEditor({ serial, configPath }: DefinitionEditorProps) {
  const definition = useQuery(definitionQuery(serial));
  const { data, error } = definition;
  return (
    <>
      <RetryAlert
        query={definition}
        fallback={data ? 'De datadefinitie is niet vernieuwd.' : 'De datadefinitie is niet geladen.'}
      />
      {data === undefined && !error && <CardSkeletons />}
      {data && <Parts serial={serial} view={data} configPath={configPath} />}
    </>
  );
}

function Parts({ serial, view, configPath }: DefinitionEditorProps & { readonly view: DefinitionView }) {
  const calls = useDefinitionCalls(serial);
  const user = useUser();
  const [note, setNote] = useState<string>();
  const editing = useMappingEditing(view, () => setNote(undefined));
  const saving = useSaveMapping({
    serial,
    calls,
    editing,
    onSaved: () => setNote('De koppeling is opgeslagen.'),
  });
  const { base, draft, isDirty } = editing;
  const latestIsDirty = useRef(isDirty);
  latestIsDirty.current = isDirty;

  const [change, setChange] = useState<ConfirmableChange>();
  const adopt = (after: DefinitionView, message: string): void => {
    setNote(message);
    editing.rebaseOn(after);
  };
  const upload = async (picked: DbcUpload, onProgress: (done: number) => void): Promise<void> => {
    const answer = await calls.upload(picked, { ask: true }, onProgress);
    if (!answer.changes) return adopt(answer, uploadText(picked.bus, base, answer));
    setChange({
      question: `Weet je zeker dat je ${picked.file.name} wilt opslaan voor CAN-bus ${picked.bus}`,
      fallback: 'Het DBC-bestand is niet opgeslagen. Probeer het opnieuw.',
      loadChanges: async () => answer,
      onYes: async (version) => {
        const after = await calls.upload(picked, { version }, () => undefined);
        adopt(after, uploadText(picked.bus, base, after));
      },
    });
  };
  const redecoding = useRedecoding(serial);
  const repair = async (repaired: typeof draft): Promise<void> => {
    const after = await calls.save(repaired, base.version);
    try {
      await redecoding.begin(false, undefined);
      adopt(after, 'De koppeling is hersteld. De logbestanden worden opnieuw gedecodeerd.');
    } catch (error) {
      const reason = failureText(error, 'De logbestanden zijn niet opnieuw gedecodeerd.');
      adopt(after, `De koppeling is hersteld. ${reason}`);
    }
  };
  const seen = useSeenSources(serial, base);
  const setJ1939 = async (bus: number, choice: J1939Scope, messages: readonly string[] = []): Promise<void> =>
    adopt(
      await calls.setJ1939(bus, choice, messages, base.version),
      `J1939 op CAN-bus ${bus}: ${J1939_SCOPE_TEXTS[choice]}. Maak een nieuwe configuratie voor de logger.`,
    );
  const askToRemove = (bus: number): void =>
    setChange({
      question: 'Weet je zeker dat je dit DBC-bestand wilt verwijderen',
      fallback: 'Het DBC-bestand is niet verwijderd. Probeer het opnieuw.',
      loadChanges: () => calls.remove(bus, { ask: true }),
      onYes: async (version) =>
        adopt(await calls.remove(bus, { version }), `Het DBC-bestand van CAN-bus ${bus} is verwijderd.`),
    });
  const askToRestore = (version: DefinitionVersion): void =>
    setChange({
      question: `Weet je zeker dat je de versie van ${versionMoment(version)} wilt terugzetten`,
      fallback: 'De versie is niet teruggezet. Probeer het opnieuw.',
      loadChanges: () => calls.restore(version.version, { ask: true }),
      onYes: async (present) =>
        adopt(
          await calls.restore(version.version, { version: present }),
          `De versie van ${versionMoment(version)} is teruggezet.`,
        ),
    });
  return (
    <div className={`${styles.parts} stack gap-4`}>
      <LeaveGuard isDirty={() => latestIsDirty.current} />
      {base.contradiction && (
        <ContradictionPanel found={base.contradiction} draft={draft} isDirty={isDirty} onRepair={repair} />
      )}
      <BusPanel buses={base.buses} onUpload={upload} onJ1939={setJ1939} onDelete={askToRemove} />
      {base.buses.length === 0 ? (
        <EmptyState title="Nog geen signalen om te koppelen">
          <p>Upload hierboven eerst het DBC-bestand van een CAN-bus.</p>
        </EmptyState>
      ) : (
        <>
          <MappingPanels editing={editing} seen={seen} isChecked={saving.isChecked} />
          <KeepPanel
            buses={base.buses}
            keep={draft.keep}
            onChange={(keep) => editing.change((now) => ({ ...now, keep }))}
          />
        </>
      )}
      {seen && <SeenSourcesPanel seen={seen} buses={base.buses} />}
      {base.buses.length > 0 && <RedecodePanel serial={serial} isDirty={isDirty} />}
      {isActionAllowed(user, 'operate') && <ErasePanel serial={serial} />}
      <VersionsPanel serial={serial} onRestore={askToRestore} />
      <SaveBar
        isDirty={isDirty}
        note={note}
        saving={saving}
        configPath={configPath}
        onUndo={() => {
          editing.reset();
          saving.clear();
        }}
      />
      {change && <ChangeDialog {...change} onClose={() => setChange(undefined)} />}
      {saving.newer && (
        <ConflictDialog
          base={base}
          draft={draft}
          newer={saving.newer}
          onKeep={editing.rebaseOn}
          onReload={editing.reset}
          onClose={saving.closeConflict}
        />
      )}
    </div>
  );
}

/** Returns the message after an upload: the stored file, and how many signals were mapped automatically. */
function uploadText(bus: number, before: DefinitionView, after: DefinitionView): string {
  const name = after.buses.find((one) => one.bus === bus)?.name;
  const fed = new Set(before.mapping.signals.map(({ to }) => to));
  const added = after.mapping.signals.filter(({ to }) => !fed.has(to)).length;
  const mapped =
    added === 0 ? '' : ` ${added === 1 ? '1 signaal is' : `${added} signalen zijn`} direct gekoppeld.`;
  return `${name} is opgeslagen voor CAN-bus ${bus}.${mapped}`;
}
