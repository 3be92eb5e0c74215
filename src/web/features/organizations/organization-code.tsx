import { CopyButton } from '#web/ui/copy-button.tsx';
import styles from './organization-code.module.css';

/** What people register with, and a button that copies it. `of`: the organization's display name. */
export function OrganizationCode({ code, of }: { readonly code: string; readonly of: string }) {
  return (
    <div className={styles.code}>
      <span className={styles.label}>Code</span>
      <code>{code}</code>
      <CopyButton text={code} label={`Kopieer de code van ${of}`} />
    </div>
  );
}
