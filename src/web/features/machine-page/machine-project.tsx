import type { ReactNode } from 'react';
import { may } from '#shared/domain/access.ts';
import { useMachineFigure } from '#web/machines/fleet-figures.ts';
import { useUser } from '#web/session/user.ts';
import { TextLink } from '#web/ui/link.tsx';
import styles from './machine-project.module.css';

/** The present project of the machine, with a link to take the machine off. Hidden without a project. */
export function MachineProject({ serial }: { readonly serial: string }): ReactNode {
  const project = useMachineFigure(serial).data?.project;
  const user = useUser();
  if (!project) return null;
  const path = `/projecten/${project._id}`;
  return (
    <p className={styles.project}>
      <span>
        Project: <TextLink to={path}>{project.projectName}</TextLink>
      </span>
      {may(user, 'manage-projects') && (
        <TextLink to={`${path}?haal=${encodeURIComponent(serial)}`}>Haal van project</TextLink>
      )}
    </p>
  );
}
