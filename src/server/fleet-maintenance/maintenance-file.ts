import { csvOf } from '#server/reports/csv.ts';
import type { TableReport } from '#server/reports/read-report.ts';
import { xlsxOf } from '#server/reports/xlsx.ts';
import { VERSION } from '#server/version.ts';
import type { MAINTENANCE_FORMATS, MaintenanceItem } from '#shared/contract/fleet-maintenance.ts';
import { wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { dueText, intervalText } from '#shared/domain/maintenance.ts';
import { dutchDate } from '#shared/domain/nl.ts';
import type { Column } from '#shared/domain/reports/column.ts';
import { CONTENT_TYPES } from '#shared/domain/reports/kinds.ts';

const text = (
  key: string,
  title: string,
  value: (item: MaintenanceItem) => string,
): Column<MaintenanceItem> => ({
  key,
  title,
  kind: 'text',
  value,
});
const hours = (
  key: string,
  title: string,
  value: (item: MaintenanceItem) => number | null,
): Column<MaintenanceItem> => ({
  key,
  title,
  unit: 'uur',
  kind: 'number',
  digits: 1,
  value: (item) => tenths(value(item)),
});
const tenths = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);
const day = (
  key: string,
  title: string,
  value: (item: MaintenanceItem) => string | null,
): Column<MaintenanceItem> => ({ key, title, kind: 'day', value });

const ORGANIZATION = text('organization', 'Organisatie', ({ cleanorg }) => cleanorg);
const COLUMNS: readonly Column<MaintenanceItem>[] = [
  text('alias', 'Machine', ({ alias }) => alias),
  text('brand', 'Merk', ({ brand }) => brand),
  text('model', 'Model', ({ model }) => model),
  text('serial', 'Serienummer', ({ serial }) => serial),
  text('planName', 'Onderhoud', ({ planName }) => planName),
  text('interval', 'Hoe vaak', intervalText),
  text('due', 'Wanneer', dueText),
  hours('hoursLeft', 'Nog te draaien', ({ hoursLeft }) => hoursLeft),
  hours('dueHours', 'Nodig bij urenstand', ({ dueHours }) => dueHours),
  day('dueDay', 'Nodig op', ({ dueDay }) => dueDay),
  day('expectedDay', 'Verwacht op', ({ expectedDay }) => expectedDay),
  hours('hours', 'Urenstand nu', (item) => item.hours),
  hours('hoursPerWeek', 'Draait per week', ({ hoursPerWeek }) => hoursPerWeek),
  day('lastDay', 'Laatst gedaan op', ({ lastDay }) => lastDay),
  hours('lastHours', 'Urenstand toen', ({ lastHours }) => lastHours),
];

type ReportMetadata = { readonly by: string; readonly organization: string; readonly at: number };

/**
 * Returns the list as a file.
 * @param showsOrganization adds a column of organizations
 */
export function createMaintenanceFile(
  items: readonly MaintenanceItem[],
  format: (typeof MAINTENANCE_FORMATS)[number],
  metadata: ReportMetadata,
  showsOrganization: boolean,
): { readonly name: string; readonly contentType: string; readonly chunks: AsyncGenerator<Buffer, void> } {
  const [today = '', clock = ''] = wallClockOf(metadata.at).split(' ');
  const report: TableReport = {
    title: 'Onderhoud',
    metadata,
    columns: showsOrganization ? [ORGANIZATION, ...COLUMNS] : COLUMNS,
    portions: portionsOf(items),
    totals: () => undefined,
    notes: () => [
      'Verwacht op: de dag waarop het onderhoud nodig is als de machine per week blijft draaien zoals in de laatste vier weken, of eerder als de datum eerder komt. Leeg: nu al nodig, of niet te zeggen.',
      `Gemaakt op ${dutchDate(today)} om ${clock} door ${metadata.by}, ${metadata.organization}, met Werkstroom ${VERSION}.`,
    ],
  };
  return {
    name: `onderhoud-${today}.${format}`,
    contentType: format === 'xlsx' ? CONTENT_TYPES.xlsx : `${CONTENT_TYPES.csv}; charset=utf-8`,
    chunks: format === 'xlsx' ? xlsxOf(report) : csvOf(report),
  };
}

const PORTION = 500;

/** Yields the file in portions, so that the event loop can do other work in between. */
async function* portionsOf(
  items: readonly MaintenanceItem[],
): AsyncGenerator<readonly MaintenanceItem[], void> {
  for (let at = 0; at < items.length; at += PORTION) {
    yield items.slice(at, at + PORTION);
    await new Promise(setImmediate);
  }
}
