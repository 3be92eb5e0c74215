import { useState } from 'react';
import { useNavigate } from 'react-router';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { noteNavigationOptions } from '#web/lib/arrival-note.ts';
import { useChange } from '#web/queries/use-change.ts';
import { Page } from '#web/ui/page.tsx';
import { ProjectForm } from './project-form.tsx';

/** Page '/projecten/nieuw': creates a project. */
export function NewProjectPage() {
  const navigate = useNavigate();
  const { mutateAsync: create } = useChange('POST /api/project/create');
  const [today] = useState(() => amsterdamDay(Date.now()));
  const [made, setMade] = useState<{ id: number; message: string }>();
  // Navigates only after the form is rendered as saved, so that LeaveGuard does not ask about unsaved changes.
  if (made)
    void Promise.resolve().then(() => navigate(`/projecten/${made.id}`, noteNavigationOptions(made.message)));
  return (
    <Page title="Nieuw Project" back="/projecten">
      <ProjectForm
        project={undefined}
        today={today}
        onSave={async (fields) => {
          const { _id, message } = await create({ body: fields });
          setMade({ id: _id, message });
        }}
      />
    </Page>
  );
}
