import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { LogEntry } from '#shared/contract/log.ts';
import { actionText, type LogEntryLine, logEntryLines } from '#shared/domain/log-text.ts';
import { dateAndSecond } from '#shared/domain/nl.ts';
import { logSearchOf } from './log-filter.ts';
import styles from './logbook-page.module.css';

/**
 * One row of the audit log: when who did what to which machine, account or other thing, and from which address. The
 * name of a person or machine links to all entries about that person or machine.
 */
export function LogRow({ entry }: { readonly entry: LogEntry }): ReactNode {
  const { at, who, address, device, action, subject, isMachine, account, organization } = entry;
  const lines = logEntryLines(entry);
  const isSelf = account !== undefined && account.id === who.id;
  return (
    <>
      <time dateTime={at} className="quiet">
        {dateAndSecond(Date.parse(at))}
      </time>
      <div className="stack gap-1 content-top shrink">
        <h2>{actionText(action)}</h2>
        <p className={`${styles.subject} unless-empty`}>
          {isMachine ? (
            <Link to={logSearchOf({ machine: subject })} aria-label={`Alles van ${subject}`}>
              {subject}
            </Link>
          ) : (
            subject
          )}
          {account && !isSelf && <PersonLink person={account} />}
          {account?.email !== undefined && !isSelf && <span className="quiet">{account.email}</span>}
        </p>
        {lines.length > 0 && (
          <ul className="stack gap-0 wrap">
            {lines.map((line) => (
              <li key={line.name}>
                <Line line={line} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="stack gap-1 content-top shrink">
        <p>
          <PersonLink person={who} />
        </p>
        {who.email !== undefined && <p className="quiet">{who.email}</p>}
        {(address || device) && <p className="quiet">{[address, device].filter(Boolean).join(' · ')}</p>}
        {organization !== undefined && <p className="quiet">{organization}</p>}
      </div>
    </>
  );
}

function PersonLink({ person: { id, name } }: { readonly person: LogEntry['who'] }): ReactNode {
  if (id === undefined) return name;
  return (
    <Link to={logSearchOf({ person: id })} aria-label={`Alles van ${name}`}>
      {name}
    </Link>
  );
}

const Line = ({ line: { name, before, value } }: { readonly line: LogEntryLine }): ReactNode => (
  <>
    <span className="quiet">{name}: </span>
    {before !== undefined && (
      <>
        <span className={styles.before}>{before}</span>
        <span className="sr-only"> werd </span>
        <span aria-hidden="true"> → </span>
      </>
    )}
    <span>{value}</span>
  </>
);
