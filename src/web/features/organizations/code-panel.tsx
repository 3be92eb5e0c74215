import type { Organization } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { Panel } from '#web/ui/panel.tsx';
import { OrganizationCode } from './organization-code.tsx';

/** The code that people register with. */
export function CodePanel({ organization: { name, clean, code } }: { readonly organization: Organization }) {
  return (
    <Panel title="Registreren">
      {name === ADMIN_ORGANIZATION ? (
        <p>Niemand kan zich bij de beheerders registreren.</p>
      ) : (
        <>
          <p>Met deze code kunnen medewerkers zich registreren.</p>
          <OrganizationCode code={code} of={clean} />
        </>
      )}
    </Panel>
  );
}
