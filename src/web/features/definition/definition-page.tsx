import { useParams } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { useFleet, useLiveEntry } from '#web/live/live.ts';
import { loggerPath } from '#web/machines/logger-path.ts';
import { Page } from '#web/ui/page.tsx';
import { DefinitionEditor } from './definition-editor.tsx';

/** /machine/edit/{serial number or loggerid}/definitie (MEDIT-12). */
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
