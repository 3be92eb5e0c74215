import type { Organization } from '#shared/contract/organizations.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import styles from './organization-code.module.css';

/** Explains, for each way of registration, who becomes beheerder (own administrator) of an organization that never had an account. */
const FIRST: Readonly<Record<Organization['registration'], string | undefined>> = {
  code: 'Er is nog nooit een account geweest: wie zich als eerste met deze code registreert, wordt beheerder.',
  approval: 'Er is nog nooit een account geweest: wie je als eerste toelaat, wordt beheerder.',
  invitation: undefined,
};

type OrganizationCodeProps = Pick<Organization, 'code' | 'clean' | 'registration' | 'hadAccount'>;

/** Shows the registration code with a copy button, and whether the first account becomes beheerder. */
export function OrganizationCode({ code, clean, registration, hadAccount }: OrganizationCodeProps) {
  return (
    <>
      <div className={`${styles.code} cluster mt-1`}>
        <span className="quiet small">Code</span>
        <code>{code}</code>
        <CopyButton text={code} label={`Kopieer de code van ${clean}`} />
      </div>
      {!hadAccount && <p className="small">{FIRST[registration]}</p>}
    </>
  );
}
