/** The pages that later issues build: their title and the way back, nothing fake. */
import { useParams } from 'react-router';
import { useLiveEntry } from '#web/lib/live.ts';
import { Page } from '#web/ui/page.tsx';

export function ComingPage({ title, back }: { readonly title: string; readonly back: string }) {
  return (
    <Page title={title} back={back}>
      <p>Dit scherm volgt nog.</p>
    </Page>
  );
}

/** Named by the machine's alias when the live data knows it. */
export function MachineComing() {
  const { serialNumber = '' } = useParams();
  return <ComingPage title={useLiveEntry(serialNumber)?.metadata.alias || serialNumber} back="/machine/" />;
}

export function LoggerComing() {
  const { alias = '' } = useParams();
  return <ComingPage title={alias} back="/lmb-logging/" />;
}
