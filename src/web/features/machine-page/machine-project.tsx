import type { ReactNode } from 'react';
import { isActionAllowed } from '#shared/domain/access.ts';
import { useMachineFigure } from '#web/machines/fleet-figures.ts';
import { useUser } from '#web/session/user.ts';
import { TextLink } from '#web/ui/link.tsx';

/** The machine's present project, and a link to remove the machine from that project. Hidden without a project. */
export function MachineProject({ serial }: { readonly serial: string }): ReactNode {
  const project = useMachineFigure(serial).data?.project;
  const user = useUser();
  if (!project) return null;
  const path = `/projecten/${project._id}`;
  return (
    <p className="cluster gap-x-4">
      <span>
        Project: <TextLink to={path}>{project.projectName}</TextLink>
      </span>
      {isActionAllowed(user, 'manage-projects') && (
        <TextLink to={`${path}?haal=${encodeURIComponent(serial)}`}>Haal van project</TextLink>
      )}
    </p>
  );
}
