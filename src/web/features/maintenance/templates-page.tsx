import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { MaintenanceTemplate } from '#shared/contract/maintenance-templates.ts';
import { ADMIN_ORGANIZATION, isActionAllowed } from '#shared/domain/access.ts';
import { intervalText } from '#shared/domain/maintenance.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { CardActions, CardList, LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { TemplateDialog } from './template-dialog.tsx';

type OpenDialog =
  | { readonly what: 'save'; readonly template?: MaintenanceTemplate }
  | { readonly what: 'apply' | 'delete'; readonly template: MaintenanceTemplate };

/**
 * Page '/onderhoud/sjablonen': the templates with the maintenance tasks of a brand and model. Users who see machines can read them;
 * only users who manage maintenance can change them.
 */
export function MaintenanceTemplatesPage(): ReactNode {
  const user = useUser();
  const mayManage = isActionAllowed(user, 'manage-maintenance');
  const seesAll = user.organization === ADMIN_ORGANIZATION;
  const templates = useQuery(readQuery('GET /api/maintenance/template/get'));
  const removal = useChange('POST /api/maintenance/template/delete');
  const [note, setNote] = useState<string>();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const saved = (message: string): void => {
    setNote(message);
    close();
  };
  return (
    <Page
      title="Sjablonen voor onderhoud"
      back="/onderhoud"
      action={
        mayManage ? (
          <Button size="md" onClick={() => setDialog({ what: 'save' })}>
            Nieuw sjabloon
          </Button>
        ) : undefined
      }
    >
      <OutcomeNotice note={note} />
      <p className="my-4 quiet small tight">
        Een sjabloon heeft de taken van een merk en model. Een taak op een machine volgt het sjabloon, tot
        iemand haar naam of hoe vaak zij moet op die machine wijzigt.
      </p>
      <LoadedList
        query={templates}
        empty={
          <EmptyState title="Nog geen sjablonen">
            <p>Met een sjabloon krijgen alle machines van een model in één keer hun onderhoud.</p>
          </EmptyState>
        }
      >
        {(items) => (
          <CardList label="Sjablonen" items={items} keyOf={({ _id }) => _id}>
            {(template) => (
              <>
                <h2 className="wrap">{nameOf(template)}</h2>
                {seesAll && <p className="quiet small tight">{template.cleanorg}</p>}
                <ul>
                  {template.tasks.map((task) => (
                    <li className="py-1" key={task._id}>
                      {task.planName}{' '}
                      <span className="quiet small tight">{intervalText(task).toLowerCase()}</span>
                    </li>
                  ))}
                </ul>
                <p className="quiet small tight">{machinesText(template)}</p>
                {mayManage && (
                  <CardActions>
                    {template.lacking > 0 && (
                      <Button
                        size="md"
                        aria-label={`Pas toe: ${nameOf(template)}`}
                        onClick={() => setDialog({ what: 'apply', template })}
                      >
                        Pas toe
                      </Button>
                    )}
                    <Button
                      size="md"
                      variant="default"
                      aria-label={`Wijzig ${nameOf(template)}`}
                      onClick={() => setDialog({ what: 'save', template })}
                    >
                      Wijzig
                    </Button>
                    <DeleteButton
                      of={nameOf(template)}
                      onClick={() => setDialog({ what: 'delete', template })}
                    />
                  </CardActions>
                )}
              </>
            )}
          </CardList>
        )}
      </LoadedList>
      {dialog?.what === 'save' && (
        <TemplateDialog template={dialog.template} choosesOwner={seesAll} onSaved={saved} onClose={close} />
      )}
      {dialog?.what === 'apply' && <ApplyDialog template={dialog.template} onSaved={saved} onClose={close} />}
      {dialog?.what === 'delete' && (
        <ConfirmDialog
          question="Weet je zeker dat je dit sjabloon wilt verwijderen"
          onYes={async () =>
            setNote((await removal.mutateAsync({ body: { _id: dialog.template._id } })).message)
          }
          onClose={close}
          fallback="Het sjabloon is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{nameOf(dialog.template)}</strong>
          </p>
          <p>De taken die machines ervan kregen, blijven op die machines.</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

const nameOf = ({ brand, model }: MaintenanceTemplate): string => `${brand} ${model}`;

function machinesText({ machines, lacking }: MaintenanceTemplate): string {
  if (machines === 0) return 'Er is geen machine van dit merk en model.';
  const all = `${formatNumber(machines)} ${machines === 1 ? 'machine' : 'machines'} van dit model`;
  if (lacking === 0) return `${all}: alle taken staan erop.`;
  return `${all}: ${formatNumber(lacking)} ${lacking === 1 ? 'mist' : 'missen'} taken.`;
}
