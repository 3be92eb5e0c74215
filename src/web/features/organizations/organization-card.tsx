import type { Organization } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { CardActions } from '#web/ui/card-list.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import styles from './organization-card.module.css';

/** What an administrator may do with it; undefined for anyone else. */
export type OrganizationActions = {
  readonly onSwitch: (isActive: boolean) => void;
  readonly isSwitching: boolean;
  readonly onDelete: () => void;
};

type OrganizationCardProps = {
  readonly organization: Organization;
  readonly actions: OrganizationActions | undefined;
};

/** Display name, registration code and, for an administrator, the switch and the bin (ORG-01 to ORG-03). */
export function OrganizationCard({ organization, actions }: OrganizationCardProps) {
  const { name, clean, code, isActive, isBerende } = organization;
  const isAdmin = name === ADMIN_ORGANIZATION;
  return (
    <>
      <h2>{clean}</h2>
      {actions && (
        <p>
          {name}
          {isBerende && ' · LMB Logging'}
        </p>
      )}
      {isAdmin ? (
        <p className={styles.note}>
          De beheerders. Niemand kan zich hier registreren; ook uitzetten kan niet.
        </p>
      ) : (
        <div className={styles.code}>
          <span className={styles.label}>Code</span>
          <code>{code}</code>
          <CopyButton text={code} label={`Kopieer de code van ${clean}`} />
        </div>
      )}
      {actions && !isAdmin && (
        <CardActions>
          <SwitchButton
            label={`${clean} actief`}
            isOn={isActive}
            words={['Actief', 'Uitgeschakeld']}
            isBusy={actions.isSwitching}
            onSwitch={actions.onSwitch}
          />
          <DeleteButton of={clean} look="icon" onClick={actions.onDelete} />
        </CardActions>
      )}
    </>
  );
}
