import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';
import { CalendarDay, singleLineText } from './projects.ts';

/** `co2`: kg CO2 per kWh. `diesel`: litres of diesel per hour of machines in a power class. */
export const REPORT_FACTOR_KINDS = ['co2', 'diesel'] as const;
export type ReportFactorKind = (typeof REPORT_FACTOR_KINDS)[number];

/** Largest values that a factor may have: higher than those of the largest machine and of the dirtiest power station. */
const MOST = { co2: 5, diesel: 500 } as const;
const MAX_KW = 2000;

const fields = {
  factorKind: z.enum(REPORT_FACTOR_KINDS),
  factorValue: z.number().min(0),
  /** From this day on, 'YYYY-MM-DD' in Amsterdam, until a newer factor takes its place. */
  firstDay: CalendarDay,
  /** Diesel only: machines with a continuous power from `fromKw` up to, but without, `belowKw`; `belowKw` null: no upper limit. */
  fromKw: z.number().min(0).max(MAX_KW).nullable().default(null),
  belowKw: z.number().min(0).max(MAX_KW).nullable().default(null),
  /** Diesel only: the diesel machine that the electric one replaces. */
  comparedTo: singleLineText(120).default(''),
  factorSource: singleLineText(200).min(1, 'ontbreekt'),
};
const Fields = z.object(fields);
export type ReportFactorFields = z.output<typeof Fields>;

type Issue = { readonly path: string[]; readonly message: string };

/** Returns an issue for each contradiction between the fields of a factor. */
function issuesOf({ factorKind, factorValue, fromKw, belowKw, comparedTo }: ReportFactorFields): Issue[] {
  const issues: Issue[] = [];
  const wrong = (field: string, message: string) => issues.push({ path: [field], message });
  if (factorValue > MOST[factorKind]) wrong('factorValue', `is hoogstens ${MOST[factorKind]}`);
  if (factorKind === 'co2') {
    if (fromKw !== null || belowKw !== null) wrong('fromKw', 'hoort niet bij CO2');
    if (comparedTo !== '') wrong('comparedTo', 'hoort niet bij CO2');
    return issues;
  }
  if (factorValue === 0) wrong('factorValue', 'is meer dan 0');
  if (fromKw === null) wrong('fromKw', 'ontbreekt');
  else if (belowKw !== null && belowKw <= fromKw) wrong('belowKw', 'is niet meer dan waar de klasse begint');
  if (comparedTo === '') wrong('comparedTo', 'ontbreekt');
  return issues;
}

const check = (
  factor: ReportFactorFields,
  { addIssue }: { addIssue(issue: Issue & { code: 'custom' }): void },
) => {
  for (const issue of issuesOf(factor)) addIssue({ code: 'custom', ...issue });
};

const Factor = z.object({
  ...fields,
  // Responses are not checked by the rules for typed text.
  comparedTo: z.string(),
  factorSource: z.string(),
  _id: z.number().int(),
  /** Functional name (as in calls) and display name (as on screens). */
  organization: z.string(),
  cleanorg: z.string(),
});
export type ReportFactor = z.output<typeof Factor>;

/** Factors with which an organization's reports compute CO2 and diesel; none is preset. */
export const reportFactorsApi = {
  'GET /api/report-factor/get': {
    summary:
      'Lists the factors by kind and class, newest first: of all organizations for an administrator, of their own for others.',
    dutch:
      'De factoren van alle organisaties voor een administrator, van de eigen voor anderen; per soort en klasse, de nieuwste eerst.',
    needs: 'see-machines',
    response: z.array(Factor),
  },
  'POST /api/report-factor/create': {
    summary:
      'Adds a factor: CO2 per kWh, or diesel per hour, for reports from a day on. An administrator names the organization.',
    dutch:
      'Zegt met hoeveel CO2 per kWh, of diesel per uur, rapporten vanaf een dag rekenen. Een administrator noemt de organisatie.',
    needs: 'manage-projects',
    body: z.object({ ...fields, organization: singleLineText(254).optional() }).superRefine(check),
    response: z.object({ message: z.string(), _id: z.number().int() }),
  },
  'POST /api/report-factor/edit': {
    summary: 'Changes a factor; reports about the days to which it applies change with it.',
    dutch: 'Wijzigt een factor: rapporten van de dagen waarover die gaat, veranderen mee.',
    needs: 'manage-projects',
    body: z.object({ ...fields, _id: z.int32() }).superRefine(check),
  },
  'POST /api/report-factor/delete': {
    summary: 'Deletes a factor; an older factor, if any, takes its place.',
    dutch: 'Verwijdert een factor; een oudere, als die er is, komt in de plaats.',
    needs: 'manage-projects',
    body: z.object({ _id: z.int32() }),
  },
} as const satisfies Endpoints;
