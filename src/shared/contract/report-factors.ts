import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { Day, line } from './projects.ts';

/** What one says: kg CO2 per kWh, or litres of diesel per hour of machines of a class of power. */
export const FACTOR_KINDS = ['co2', 'diesel'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

/** No source, the largest machine and the worst power station included, comes near. */
const MOST = { co2: 5, diesel: 500 } as const;
const MOST_KW = 2000;

const fields = {
  factorKind: z.enum(FACTOR_KINDS),
  factorValue: z.number().min(0),
  /** From this day on, 'YYYY-MM-DD' in Amsterdam, until a newer one takes its place. */
  firstDay: Day,
  /** Of diesel: machines from this continuous power up to, and without, `belowKw`; null: and all above. */
  fromKw: z.number().min(0).max(MOST_KW).nullable().default(null),
  belowKw: z.number().min(0).max(MOST_KW).nullable().default(null),
  /** Of diesel: the machine that is not used. */
  comparedTo: line(120).default(''),
  factorSource: line(200).min(1, 'ontbreekt'),
};
const Fields = z.object(fields);
export type FactorFields = z.output<typeof Fields>;

type Issue = { readonly path: string[]; readonly message: string };

/** What zod's fields do not say of each other. */
function faultsOf({ factorKind, factorValue, fromKw, belowKw, comparedTo }: FactorFields): Issue[] {
  const faults: Issue[] = [];
  const wrong = (field: string, message: string) => faults.push({ path: [field], message });
  if (factorValue > MOST[factorKind]) wrong('factorValue', `is hoogstens ${MOST[factorKind]}`);
  if (factorKind === 'co2') {
    if (fromKw !== null || belowKw !== null) wrong('fromKw', 'hoort niet bij CO2');
    if (comparedTo !== '') wrong('comparedTo', 'hoort niet bij CO2');
    return faults;
  }
  if (factorValue === 0) wrong('factorValue', 'is meer dan 0');
  if (fromKw === null) wrong('fromKw', 'ontbreekt');
  else if (belowKw !== null && belowKw <= fromKw) wrong('belowKw', 'is niet meer dan waar de klasse begint');
  if (comparedTo === '') wrong('comparedTo', 'ontbreekt');
  return faults;
}

const check = (factor: FactorFields, { addIssue }: { addIssue(issue: Issue & { code: 'custom' }): void }) => {
  for (const fault of faultsOf(factor)) addIssue({ code: 'custom', ...fault });
};

const Factor = z.object({
  ...fields,
  // What may be typed is not what the answer promises.
  comparedTo: z.string(),
  factorSource: z.string(),
  _id: z.number().int(),
  /** Functional and display name. */
  organization: z.string(),
  cleanorg: z.string(),
});
export type Factor = z.output<typeof Factor>;

/** With what an organization reckons in its reports; none is preset. */
export const reportFactorsApi = {
  'GET /api/report-factor/get': {
    summary:
      'The factors of all organizations for an administrator, of their own for others; by kind and class, the newest first.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    response: z.array(Factor),
  },
  'POST /api/report-factor/create': {
    summary:
      'Says with how much CO2 per kWh, or diesel per hour, reports reckon from a day on. An administrator names the organization.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ ...fields, organization: line(254).optional() }).superRefine(check),
    response: z.object({ message: z.string(), _id: z.number().int() }),
  },
  'POST /api/report-factor/edit': {
    summary: 'Changes a factor: reports of the days that it is about change with it.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ ...fields, _id: z.int32() }).superRefine(check),
    response: z.object({ message: z.string() }),
  },
  'POST /api/report-factor/delete': {
    summary: 'Deletes a factor; an older one, if there is any, takes its place.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ _id: z.int32() }),
    response: z.object({ message: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
