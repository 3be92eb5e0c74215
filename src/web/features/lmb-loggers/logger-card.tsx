import type { LmbLogger } from '#shared/contract/lmb-loggers.ts';
import { CardActions, CardTitle } from '#web/ui/card-list.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';

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
      <CardTitle to={to} label={`${alias}, ${loggerid}`}>
        {alias}
      </CardTitle>
      <p>#{loggerid}</p>
      <p>{cleanorg}</p>
      {onDelete && (
        <CardActions>
          <DeleteButton of={alias} onClick={onDelete} />
        </CardActions>
      )}
    </>
  );
}
