import { useQuery } from '@tanstack/react-query';
import type { NamedMachine, UnknownKey } from '#shared/contract/writers.ts';
import { dateAndTime, formatLastSeen, formatNumber } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { loggerPanelPath } from '#web/machines/page-path.ts';
import { readQuery } from '#web/queries/read.ts';
import { CardList } from '#web/ui/card-list.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';

/** List of the loggers that uploaded with a refused key (INGEST-03), with their number of attempts. Hidden if there are none. */
export function UnknownLoggers() {
  const keys = useQuery(readQuery('GET /api/machine/writer/unknown'));
  const now = useNow(60_000);
  const seen = (at: string): string => formatLastSeen(Date.parse(at) / 1000, now);
  if (!keys.error && !keys.data?.length) return null;
  return (
    <section className="mt-8" aria-labelledby="unknown-loggers">
      <h2 className="mb-1" id="unknown-loggers">
        Onbekende loggers
      </h2>
      <p className="measure mb-3 quiet">
        Deze sleutels worden geweigerd: ze zijn vervallen, of ze zijn van geen enkele logger in het portaal.
        Laad in de logger een nieuw configuratiebestand; een CANedge krijgt nieuwe instellingen. De map is wat
        de afzender zelf noemt.
      </p>
      <RetryAlert query={keys} fallback="De onbekende loggers zijn niet geladen." />
      <CardList label="Onbekende loggers" items={keys.data ?? []} keyOf={({ accessKey }) => accessKey}>
        {({ accessKey, firstSeen, lastSeen: last, count, ...attempt }) => (
          <>
            <h3>
              <code className="wrap">{accessKey}</code>
            </h3>
            <Attempt {...attempt} />
            <p>Laatst gezien: {seen(last)}</p>
            <p>Eerst gezien: {seen(firstSeen)}</p>
            <p>{count === 1 ? '1 keer geweigerd' : `${formatNumber(count)} keer geweigerd`}</p>
          </>
        )}
      </CardList>
    </section>
  );
}

type Seen = Pick<UnknownKey, 'accessKey' | 'firstSeen' | 'lastSeen' | 'count'>;

/** Shows which logger had the refused key before, the upload folder that the sender named, and links to the machines involved. */
function Attempt({ folder, loggerId, reportsFor, former }: Omit<UnknownKey, keyof Seen>) {
  const machines = [former?.machine ?? [], reportsFor ?? []].flat().filter(({ isDeleted }) => !isDeleted);
  const bySerial = new Map(machines.map((machine) => [machine.serial, machine]));
  return (
    <>
      <p>
        {former
          ? `Sleutel van logger ${former.loggerId}, machine ${nameOf(former.machine)}, vervallen sinds ${dateAndTime(Date.parse(former.endedAt))}`
          : 'Van geen enkele logger in het portaal'}
      </p>
      {folder !== '' && (
        <p>
          Map: <code className="wrap">{folder}</code>
        </p>
      )}
      {loggerId !== '' && (
        <p>
          Logger {loggerId} {reportsFor ? `meldt nu voor ${nameOf(reportsFor)}` : 'hoort bij geen machine'}
        </p>
      )}
      {[...bySerial.values()].map((machine) => (
        <TextLink key={machine.serial} to={loggerPanelPath(machine)}>
          Bekijk {nameOf(machine)}
        </TextLink>
      ))}
    </>
  );
}

const nameOf = ({ alias, serial, isDeleted }: NamedMachine): string =>
  `${alias || serial}${isDeleted ? ' (verwijderd)' : ''}`;
