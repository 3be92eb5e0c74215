import { type ReactNode, useState } from 'react';
import type { ProjectDay, SilentProjectDay } from '#shared/contract/projects.ts';
import { completenessMarks } from '#shared/domain/completeness.ts';
import { knownEnergyShare } from '#shared/domain/figures.ts';
import { dutchDate, formatKilowattHours, formatNumber, hoursAsClock } from '#shared/domain/nl.ts';
import { DEFAULT_USE_DAY_MINUTES } from '#shared/domain/reports/settings.ts';
import { silentDaysText } from '#shared/domain/silent-days.ts';
import { TextLink } from '#web/ui/link.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import styles from './day-table.module.css';

/** Number of rows that are shown at first, and that the button adds. */
const PORTION = 200;

type DayTableProps = {
  readonly days: readonly ProjectDay[];
  readonly silentDays: readonly SilentProjectDay[];
  readonly aliasOf: (serial: string) => string;
  /** Returns whether the user can open the machine's page, because the organization still owns the machine. */
  readonly hasPage: (serial: string) => boolean;
};

type Sum = Omit<ProjectDay, 'day' | 'serial'> & {
  /** Days on which the machine ran for at least DEFAULT_USE_DAY_MINUTES, as in the report Inzet. */
  readonly useDays: number;
  /** `daysThere`: days on the project; `silentDays`: days there without data; `silentMs`: length of the shifts on silent days. */
  readonly daysThere: number;
  readonly silentDays: number;
  readonly silentMs: number;
};
const NOTHING: Sum = {
  useDays: 0,
  daysThere: 0,
  silentDays: 0,
  silentMs: 0,
  runningMs: 0,
  chargingMs: 0,
  outKwh: null,
  chargedKwh: null,
  knownMs: 0,
  heardMs: 0,
  windowMs: 0,
  windowHeardMs: 0,
  isProvisional: false,
};

const addKnown = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : a + b;

const add = (sum: Sum, row: Omit<ProjectDay, 'day' | 'serial'>): Sum => ({
  useDays: sum.useDays + (row.runningMs >= DEFAULT_USE_DAY_MINUTES * MINUTE_MS ? 1 : 0),
  daysThere: sum.daysThere + 1,
  silentDays: sum.silentDays,
  silentMs: sum.silentMs,
  runningMs: sum.runningMs + row.runningMs,
  chargingMs: sum.chargingMs + row.chargingMs,
  outKwh: addKnown(sum.outKwh, row.outKwh),
  chargedKwh: addKnown(sum.chargedKwh, row.chargedKwh),
  knownMs: sum.knownMs + row.knownMs,
  heardMs: sum.heardMs + row.heardMs,
  windowMs: sum.windowMs + row.windowMs,
  windowHeardMs: sum.windowHeardMs + row.windowHeardMs,
  isProvisional: sum.isProvisional || row.isProvisional,
});

const addSilent = (sum: Sum, { shiftMs }: SilentProjectDay): Sum => ({
  ...sum,
  daysThere: sum.daysThere + 1,
  silentDays: sum.silentDays + 1,
  silentMs: sum.silentMs + shiftMs,
});

const sumOf = (days: readonly ProjectDay[], silent: readonly SilentProjectDay[]): Sum =>
  silent.reduce(addSilent, days.reduce(add, NOTHING));

const MINUTE_MS = 60_000;

/** A table of hours and energy per machine, or per machine and day, with totals and notes on incomplete figures. */
export function DayTable({ days, silentDays, aliasOf, hasPage }: DayTableProps): ReactNode {
  const nameOf = (serial: string): ReactNode =>
    hasPage(serial) ? (
      <TextLink to={`/machine/${encodeURIComponent(serial)}`}>{aliasOf(serial)}</TextLink>
    ) : (
      aliasOf(serial)
    );
  const [isPerDay, setPerDay] = useState(false);
  const [most, setMost] = useState(PORTION);
  const rowsOf = Map.groupBy(days, ({ serial }) => serial);
  const silentOf = Map.groupBy(silentDays, ({ serial }) => serial);
  const perMachine = [...new Set([...rowsOf.keys(), ...silentOf.keys()])].map((serial) => ({
    serial,
    ...sumOf(rowsOf.get(serial) ?? [], silentOf.get(serial) ?? []),
  }));
  const total = sumOf(days, silentDays);
  return (
    <>
      <SwitchButton
        label="Per dag"
        isOn={isPerDay}
        texts={['Per dag', 'Per machine']}
        isBusy={false}
        isCalm
        onSwitch={setPerDay}
      />
      <section className={styles.whole} aria-label="Uren en energie">
        <table>
          <thead>
            <tr>
              {isPerDay && <th scope="col">Dag</th>}
              <th scope="col" className={styles.name}>
                Machine
              </th>
              {!isPerDay && <th scope="col">Inzetdagen</th>}
              <th scope="col">Draaiuren</th>
              <th scope="col">Laaduren</th>
              <th scope="col">Verbruikt</th>
              <th scope="col">Geladen op project</th>
            </tr>
          </thead>
          <tbody>
            {isPerDay
              ? days.slice(0, most).map(({ day, serial, ...row }) => (
                  <tr key={`${day} ${serial}`}>
                    <td data-label="Dag">{dutchDate(day)}</td>
                    <th scope="row">
                      {nameOf(serial)}
                      <Notes {...row} />
                    </th>
                    <Figures {...row} />
                  </tr>
                ))
              : perMachine.map(({ serial, ...row }) => (
                  <tr key={serial}>
                    <th scope="row">
                      {nameOf(serial)}
                      <Notes {...row} />
                    </th>
                    <td data-label="Inzetdagen">{formatNumber(row.useDays)}</td>
                    <Figures {...row} />
                  </tr>
                ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={isPerDay ? 2 : 1}>
                Totaal
                {/* The total has no silent days, because the days of several machines overlap. */}
                <Notes {...total} silentDays={0} />
              </th>
              {!isPerDay && <td data-label="Inzetdagen">{formatNumber(total.useDays)}</td>}
              <Figures {...total} />
            </tr>
          </tfoot>
        </table>
      </section>
      {isPerDay && days.length > most && (
        <button type="button" className="framed touch px-4" onClick={() => setMost(most + PORTION)}>
          Toon meer dagen ({formatNumber(most)} van {formatNumber(days.length)})
        </button>
      )}
    </>
  );
}

function Figures({
  runningMs,
  chargingMs,
  outKwh,
  chargedKwh,
}: Omit<ProjectDay, 'day' | 'serial'>): ReactNode {
  return (
    <>
      <td data-label="Draaiuren">{hoursAsClock(runningMs / 3_600_000)}</td>
      <td data-label="Laaduren">{hoursAsClock(chargingMs / 3_600_000)}</td>
      <td data-label="Verbruikt">{energyText(outKwh)}</td>
      <td data-label="Geladen op project">{energyText(chargedKwh)}</td>
    </>
  );
}

const energyText = (kWh: number | null): string => (kWh === null ? '--' : formatKilowattHours(kWh, 1));

/** Notes beside a name: how incomplete its figures are, and whether they are provisional. */
function Notes({
  windowMs,
  windowHeardMs,
  isProvisional,
  knownMs,
  heardMs,
  daysThere = 0,
  silentDays = 0,
  silentMs = 0,
}: Omit<ProjectDay, 'day' | 'serial'> & Partial<Sum>): ReactNode {
  const wholeMs = windowMs + silentMs;
  const marks = completenessMarks(
    wholeMs > 0 ? windowHeardMs / wholeMs : null,
    isProvisional,
    knownEnergyShare({ knownMs, heardMs }),
  );
  const silent = silentDaysText(silentDays, daysThere);
  return (
    <>
      <small className="block normal quiet">{marks.join(', ')}</small>
      {silent !== '' && <small className="block normal quiet">{silent}</small>}
    </>
  );
}
