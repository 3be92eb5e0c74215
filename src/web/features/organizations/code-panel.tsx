import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Organization } from '#shared/contract/organizations.ts';
import { useChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { OrganizationCode } from './organization-code.tsx';

/** Shows the registration code, and a button that replaces a code that strangers know. */
export function CodePanel({ organization }: { readonly organization: Organization }) {
  const { mutateAsync: renew } = useChange('POST /api/organization/code');
  const [isAsked, setAsked] = useState(false);
  const [note, setNote] = useState<string>();
  return (
    <Panel title="Code">
      <Notice>{note}</Notice>
      <OrganizationCode {...organization} />
      <div>
        <Button variant="default" size="md" onClick={() => setAsked(true)}>
          Vernieuw de code
        </Button>
      </div>
      {isAsked && (
        <ConfirmDialog
          question="Wil je de code vernieuwen"
          kind="change"
          onYes={async () => {
            setNote(undefined);
            setNote((await renew({ body: { name: organization.name } })).message);
          }}
          onClose={() => setAsked(false)}
          fallback="De code is niet vernieuwd. Probeer het opnieuw."
        >
          <p>
            De code die er nu staat werkt dan meteen niet meer. Wie al een account heeft, merkt er niets van.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
