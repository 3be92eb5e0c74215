import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { SEB_CATEGORY_LABELS } from '#shared/domain/machine-values.ts';
import { formatDecimals, formatExactNumber } from '#shared/domain/nl.ts';
import { useManual } from '#web/machines/machine-files.ts';
import { useMachine } from '#web/machines/use-machine.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { KeyFigure } from './figure.tsx';
import { RANGE_POLL_MS } from './history-queries.ts';
import styles from './panels.module.css';
import { Section } from './section.tsx';

/** Panel with operating hours, manual, MAC address, accessories and papers (MDET-08, MDET-09). */
export function InfoPanel({ serial, macaddress }: { readonly serial: string; readonly macaddress: string }) {
  const { isLimited } = useUser();
  return (
    <Section id="info" title="Machine Info">
      <div className={styles.info}>
        {/* The hour meter includes hours before the period that a limited user may see. */}
        {!isLimited && <OperatingHours serial={serial} />}
        <dl className={`${styles.facts} stack gap-x-4`}>
          <dt className="small">Handleiding</dt>
          <dd className="cluster gap-0 touch">
            <Manual serial={serial} />
          </dd>
          <dt className="small">Mac-Address voor snelladen</dt>
          <dd className="cluster gap-0 touch">
            <MacAddress address={macaddress} />
          </dd>
          <FromForm serial={serial} />
        </dl>
      </div>
    </Section>
  );
}

function OperatingHours({ serial }: { readonly serial: string }): ReactNode {
  const hours = useQuery({
    ...readQuery('GET /api/influx/driverhours/:serialNumber', {
      params: { serialNumber: serial },
      query: {},
    }),
    refetchInterval: RANGE_POLL_MS,
  });
  return (
    <div>
      <KeyFigure
        label="Draaiuren"
        value={hours.data ? formatDecimals(hours.data.hours, 1) : '--'}
        more="uur"
      />
      {hours.data?.ownHours !== undefined && (
        <p className="quiet">waarvan {formatDecimals(hours.data.ownHours, 1)} uur in jouw beheer</p>
      )}
      <RetryAlert query={hours} fallback="De draaiuren zijn niet geladen." />
    </div>
  );
}

/** The accessories and papers from the machine's form. */
function FromForm({ serial }: { readonly serial: string }): ReactNode {
  const { data } = useMachine(serial);
  if (!data) return null;
  return (
    <>
      <Accessories accessories={data.hulpstukken} />
      <Papers machine={data} />
    </>
  );
}

type MachineData = NonNullable<ReturnType<typeof useMachine>['data']>;

function Accessories({ accessories }: { readonly accessories: MachineData['hulpstukken'] }): ReactNode {
  if (accessories.length === 0) return null;
  return (
    <>
      <dt className="small">Hulpstukken</dt>
      <dd className="cluster gap-0 touch">
        <ul className={`${styles.accessories} mt-1`}>
          {accessories.map(({ naam, nummer }) => (
            <li key={`${naam} ${nummer}`}>
              {naam} <span className="quiet">nr. {nummer}</span>
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

/** Registration data that clients and subsidies require. */
function Papers({
  machine: { kenteken, seb_categorie: category, vermogen: power },
}: {
  readonly machine: MachineData;
}): ReactNode {
  const facts = [
    [FIELD_TEXTS.kenteken, kenteken],
    [FIELD_TEXTS.seb_categorie, category && SEB_CATEGORY_LABELS[category]],
    [FIELD_TEXTS.vermogen, power !== null && formatExactNumber(power)],
  ] as const;
  return facts.map(
    ([word, value]) =>
      value && (
        <Fragment key={word}>
          <dt className="small">{word}</dt>
          <dd className="cluster gap-0 touch">{value}</dd>
        </Fragment>
      ),
  );
}

function Manual({ serial }: { readonly serial: string }): ReactNode {
  const { data, ...query } = useManual(serial);
  if (data) {
    return (
      <a href={data.url} target="_blank" rel="noreferrer" className="text-link">
        Bekijken<span className="sr-only"> (opent in een nieuw tabblad)</span>
      </a>
    );
  }
  if (data === null) return <span className="quiet">Handleiding onbeschikbaar</span>;
  return query.error ? <FileFailure query={query} /> : null;
}

/** Shows the error text that MDET-08 prescribes, instead of the server's message. */
const FileFailure = ({ query }: { readonly query: Parameters<typeof RetryAlert>[0]['query'] }) => (
  <RetryAlert query={{ ...query, error: new Error() }} fallback="Error loading manual." />
);

function MacAddress({ address }: { readonly address: string }): ReactNode {
  if (address === '') return <span className="quiet">Niet Beschikbaar</span>;
  return (
    <>
      <span className="mono wrap">{address}</span>
      <CopyButton text={address} label="Kopieer het Mac-Address" />
    </>
  );
}
