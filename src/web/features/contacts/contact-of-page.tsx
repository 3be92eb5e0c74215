import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useLiveEntry } from '#web/live/live.ts';
import { readQuery } from '#web/queries/read.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { OutcomeNotice, RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { NotFound } from '#web/ui/screen.tsx';
import { ContactChoice } from './contact-choice.tsx';
import { CONTACT_PRECEDENCE_TEXT } from './contact-text.ts';

/** Page '/organization/:name/contacten/:by/:target': the contact of one project or machine. */
export function ContactOfPage() {
  const { name = '', by = '', target = '' } = useParams();
  const back = `/organization/${name}/contacten`;
  if (by !== 'project' && by !== 'machine')
    return <NotFound what="Dit contact" to={back} way="Naar de contacten" />;
  return <OneChoice key={`${name} ${by} ${target}`} of={{ name, by, target }} />;
}

type ContactTarget = { readonly name: string; readonly by: 'project' | 'machine'; readonly target: string };

function OneChoice({ of }: { readonly of: ContactTarget }) {
  const { name, by, target } = of;
  const contacts = useQuery(readQuery('GET /api/contact/get', { query: { name } }));
  const [note, setNote] = useState<string>();
  const alias = useLiveEntry(target)?.metadata.alias;
  const projects = useQuery({
    ...readQuery('GET /api/project/get'),
    enabled: by === 'project',
  });
  const project = projects.data?.find(({ _id }) => String(_id) === target)?.projectName;
  const ownerName = by === 'project' ? `project ${project ?? ''}` : `machine ${alias || target}`;
  const back = by === 'project' ? `/projecten/${target}` : `/machine/${encodeURIComponent(target)}`;
  return (
    <Page title={`Contact van ${ownerName.trim()}`} back={back}>
      <OutcomeNotice note={note} />
      <p className="my-4">{CONTACT_PRECEDENCE_TEXT}</p>
      <RetryAlert query={contacts} fallback="De contacten zijn niet geladen." />
      {!contacts.data && !contacts.error && <CardSkeletons />}
      {contacts.data && (
        <ContactChoice of={of} contacts={contacts.data} none="Geen eigen contact" adds onDone={setNote} />
      )}
      <p className="my-4">
        <TextLink to={`/organization/${name}/contacten`}>Alle contacten</TextLink>
      </p>
    </Page>
  );
}
