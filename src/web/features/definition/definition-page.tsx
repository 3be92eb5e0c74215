import { useParams } from 'react-router';
import { useLiveEntry } from '#web/lib/live.ts';
import { Page } from '#web/ui/page.tsx';
import { DefinitionEditor } from './definition-editor.tsx';

/** /machine/edit/{serial number or loggerid}/definitie (MEDIT-12). */
export function DefinitionPage() {
  const { serialNumber = '' } = useParams();
  const metadata = useLiveEntry(serialNumber)?.metadata;
  const alias = metadata?.alias || serialNumber;
  const owner =
    metadata?.kind === 'logger'
      ? `/lmb-logging/${encodeURIComponent(alias)}`
      : `/machine/edit/${encodeURIComponent(serialNumber)}`;
  return (
    <Page title={`Datadefinitie: ${alias}`} back={owner}>
      <DefinitionEditor key={serialNumber} serial={serialNumber} configPath={owner} />
    </Page>
  );
}
