import type { MaintenanceDue } from '#shared/domain/maintenance.ts';
import { dutchDate, formatDecimals } from '#shared/domain/nl.ts';
import type { KindDeclaration, TimerEvaluation } from './kind.ts';

/**
 * The plan's name and when it is due; without the remaining hours, so that the alert's text stays the same while the
 * alert is open. When the plan is due the next time, another alert opens.
 */
type Figures = Pick<MaintenanceDue, 'by' | 'dueHours' | 'dueDay'> & { readonly planName: string };

export const maintenanceKind = {
  word: 'Onderhoud',
  source: 'clock',
  explanation: 'Een onderhoudsbeurt is bijna nodig: binnen 50 draaiuren of 14 dagen.',
  whatToDo: 'Plan de beurt in, en noteer op de pagina van de machine dat hij gedaan is.',
  short: 'onderhoud',
  settings: {},
  hasOwnHours: true,
  isNotForLimited: true,
  needs: 'plans',
  clauses: (of) => ({ when: `${of} binnen 50 draaiuren of 14 dagen onderhoud nodig heeft` }),
} satisfies KindDeclaration;

export const maintenanceEvaluation: TimerEvaluation<Figures> = {
  evaluate: ({ plans }, _, now) =>
    plans
      .filter(({ state }) => state !== 'ok')
      .map(({ planName, by, dueHours, dueDay }) => {
        const figures = { planName, by, dueHours, dueDay };
        return { since: now, at: now, figures, subject: `${planName} ${whenDue(figures)}` };
      }),
  text: (figures) => `${figures.planName} nodig ${whenDue(figures)}`,
  sample: [
    { planName: 'Grote beurt', by: 'hours', dueHours: 1500, dueDay: null },
    'Grote beurt nodig bij 1.500 uur',
  ],
};

const whenDue = ({ by, dueHours, dueDay }: Figures): string =>
  by === 'hours' ? `bij ${formatDecimals(dueHours ?? 0, 1, 0)} uur` : `op ${dutchDate(dueDay ?? '')}`;
