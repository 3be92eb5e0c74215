import { Link } from 'react-router';
import type { LmbLogger } from '#shared/contract/lmb-loggers.ts';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import styles from './logger-card.module.css';

type LoggerCardProps = {
  readonly logger: LmbLogger;
  readonly to: string;
  /** Asks whether to delete; undefined for who may not. */
  readonly onDelete: (() => void) | undefined;
};

/** Alias, logger id as serial number, company; the whole card leads to the logger (LOG-01). */
export function LoggerCard({ logger: { alias, loggerid, cleanorg }, to, onDelete }: LoggerCardProps) {
  return (
    <>
      <h2>
        <Link to={to} className={styles.link!} aria-label={`${alias}, ${loggerid}`}>
          {alias}
        </Link>
      </h2>
      <p>#{loggerid}</p>
      <p>{cleanorg}</p>
      {onDelete && (
        <div className={styles.actions}>
          <DeleteButton of={alias} onClick={onDelete} />
        </div>
      )}
    </>
  );
}
