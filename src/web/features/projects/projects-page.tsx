import type { Project } from '#shared/contract/projects.ts';
import { ADMIN_ORGANIZATION, isActionAllowed } from '#shared/domain/access.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useUser } from '#web/session/user.ts';
import { CardList, CardTitle, LoadedList } from '#web/ui/card-list.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddLink } from '#web/ui/link.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import { PlacesTabs } from './places-tabs.tsx';
import { useProjects } from './project-queries.ts';
import { machinesNow, machinesToComputeText, projectPeriodText } from './project-text.ts';

/** Page '/projecten': the list of projects, the newest first. */
export function ProjectsPage() {
  const user = useUser();
  const mayManage = isActionAllowed(user, 'manage-projects');
  const projects = useProjects();
  const [note] = useNote();
  return (
    <Page
      title="Projecten"
      back="/"
      action={mayManage ? <AddLink to="/projecten/nieuw" label="Maak een nieuw project" /> : undefined}
    >
      <PlacesTabs />
      <OutcomeNotice note={note} />
      <LoadedList query={projects} empty={<NoProjects mayManage={mayManage} />}>
        {(all) => (
          <SearchedList
            items={all}
            textOf={({ projectName, projectNumber, client, cleanorg }) =>
              `${projectName}\n${projectNumber}\n${client}\n${cleanorg}`
            }
            label="Zoek een project"
            placeholder="Naam, nummer of opdrachtgever"
            plural="projecten"
          >
            {(found) => (
              <CardList label="Projecten" items={found} keyOf={({ _id }) => _id}>
                {(project) => (
                  <ProjectCard project={project} isNamed={user.organization === ADMIN_ORGANIZATION} />
                )}
              </CardList>
            )}
          </SearchedList>
        )}
      </LoadedList>
    </Page>
  );
}

const NoProjects = ({ mayManage }: { readonly mayManage: boolean }) => (
  <EmptyState title="Er zijn nog geen projecten">
    <p>
      {mayManage
        ? 'Maak er een met de knop rechtsboven: teken waar er gewerkt wordt, en het portaal houdt bij welke machines er zijn en wat zij doen.'
        : 'Een beheerder van je organisatie maakt ze.'}
    </p>
  </EmptyState>
);

type ProjectCardProps = {
  readonly project: Project;
  /** Whether the card names the organization. */
  readonly isNamed: boolean;
};

function ProjectCard({ project, isNamed }: ProjectCardProps) {
  const { _id, projectName, projectNumber, client, cleanorg, left } = project;
  const facts = [projectNumber, client, ...(isNamed ? [cleanorg] : [])].filter((text) => text !== '');
  return (
    <>
      <CardTitle to={`/projecten/${_id}`} label={`Project ${projectName}`}>
        {projectName}
      </CardTitle>
      {facts.length > 0 && <p>{facts.join(' · ')}</p>}
      <p>{projectPeriodText(project)}</p>
      <p className="mt-auto quiet">{machinesToComputeText(left) ?? machinesNow(project.machinesNow)}</p>
    </>
  );
}
