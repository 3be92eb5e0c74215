import { useState } from 'react';
import { useNavigate } from 'react-router';
import { noteNavigationOptions } from '#web/lib/arrival-note.ts';
import { useChange } from '#web/queries/use-change.ts';
import { Page } from '#web/ui/page.tsx';
import { TerreinForm } from './terrein-form.tsx';
import { TERREINEN_PATH } from './terrein-paths.ts';

/** Page '/projecten/terreinen/nieuw': creates a terrein (a yard, workshop or depot). */
export function NewTerreinPage() {
  const navigate = useNavigate();
  const { mutateAsync: create } = useChange('POST /api/terrein/create');
  const [made, setMade] = useState<string>();
  // Navigates only after the form is rendered as saved, so that LeaveGuard does not ask about unsaved changes.
  if (made !== undefined)
    void Promise.resolve().then(() => navigate(TERREINEN_PATH, noteNavigationOptions(made)));
  return (
    <Page title="Nieuw Terrein" back={TERREINEN_PATH}>
      <TerreinForm
        terrein={undefined}
        onSave={async (fields) => {
          const { message } = await create({ body: fields });
          setMade(message);
        }}
      />
    </Page>
  );
}
