import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DefinitionVersion } from '#shared/contract/definition.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { readQuery } from '#web/queries/read.ts';
import { ChangeList } from '#web/ui/change-list.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import styles from './versions-panel.module.css';

/** Number of versions that are shown at first. */
const FIRST = 5;
/** The changes of a version are folded if there are more than this. */
const MAX_CHANGES = 4;

type VersionsPanelProps = {
  readonly serial: string;
  readonly onRestore: (version: DefinitionVersion) => void;
};

/** Panel 'Eerdere versies': lists who changed what and when, and restores a version. Hidden without earlier versions. */
export function VersionsPanel({ serial, onRestore }: VersionsPanelProps) {
  const versions = useQuery(readQuery('GET /api/machine/dbc/:serial/versions', { params: { serial } }));
  const [isWhole, setIsWhole] = useState(false);
  const all = versions.data?.versions ?? [];
  if (all.length === 0 && !versions.error) return null;
  return (
    <Panel title="Eerdere versies">
      <RetryAlert query={versions} fallback="De eerdere versies zijn niet geladen." />
      <ol className="ruled">
        {all.slice(0, isWhole ? all.length : FIRST).map((version) => (
          <VersionRow key={version.version} version={version} onRestore={() => onRestore(version)} />
        ))}
      </ol>
      {!isWhole && all.length > FIRST && (
        <div>
          <Button variant="default" size="md" onClick={() => setIsWhole(true)}>
            Toon alle {all.length} versies
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** Returns the moment of a version as 'DD-MM-YY, HH:MM'. */
export const versionMoment = ({ madeAt }: DefinitionVersion): string => dateAndTime(Date.parse(madeAt));

type VersionRowProps = { readonly version: DefinitionVersion; readonly onRestore: () => void };

function VersionRow({ version, onRestore }: VersionRowProps) {
  const { madeBy, isPresent, changes } = version;
  const moment = versionMoment(version);
  return (
    <li className="py-2">
      <div className="split touch">
        <p>
          <strong>{moment}</strong> <span className="quiet">{madeBy ?? 'onbekend'}</span>
        </p>
        {isPresent ? (
          <p className={`${styles.present} px-2 small strong`}>Nu in gebruik</p>
        ) : (
          <Button
            variant="default"
            size="md"
            aria-label={`Zet terug: de versie van ${moment}`}
            onClick={onRestore}
          >
            Zet terug
          </Button>
        )}
      </div>
      {changes.length === 0 && <p className="quiet">Gelijk aan de versie ervoor</p>}
      {changes.length > MAX_CHANGES && (
        <details>
          <summary className="fold">{changes.length} wijzigingen</summary>
          <ChangeList changes={changes} />
        </details>
      )}
      {changes.length > 0 && changes.length <= MAX_CHANGES && <ChangeList changes={changes} />}
    </li>
  );
}
