import { PORTAL_TASKS } from '#shared/domain/portal-tasks.ts';
import { usePortalTasks } from '#web/session/portal-tasks.ts';
import { CardList } from '#web/ui/card-list.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import styles from './machines-page.module.css';

/** Task for administrators: missing settings that a portal needs as soon as other people use it. Hidden if none is missing. */
export function PortalTasks() {
  const tasks = usePortalTasks();
  const missing = tasks.data?.settings ?? [];
  if (tasks.error)
    return <RetryAlert query={tasks} fallback="De taken voor het portaal zelf zijn niet geladen." />;
  if (missing.length === 0) return null;
  return (
    <details className={`${styles.task} surface py-1 px-4 mb-6`}>
      <summary className="fold inherit">
        <h2 className="large">
          Instellingen van het portaal: {missing.length === 1 ? '1 taak' : `${missing.length} taken`}
        </h2>
      </summary>
      <p className="measure mb-3 quiet">
        Andere mensen openen dit portaal. Zet wat ontbreekt in de instellingen van het portaal, meestal het
        bestand .env, en start het opnieuw.
      </p>
      <CardList
        label="Instellingen van het portaal"
        items={missing.map((task) => PORTAL_TASKS[task])}
        keyOf={({ word }) => word}
      >
        {({ word, why, whatToDo }) => (
          <>
            <h3>{word}</h3>
            <p>{why}</p>
            <p>{whatToDo}</p>
          </>
        )}
      </CardList>
    </details>
  );
}
