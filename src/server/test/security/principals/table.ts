import { NOUNS } from './nouns.ts';
import { PEOPLE, type Person } from './people.ts';
import type { MakeRequest, TestedNoun } from './tested-noun.ts';

/**
 * Permissions: every call of the portal x every kind of person (people.ts), and the status that each must get (API-02; OWASP ASVS 5.0
 * V8.2.1, V8.2.2, V8.4.1). Written by hand from docs/requirements.md, not derived from the contract, so that it checks the contract;
 * principals.pg.test.ts makes the calls. These are the rows of calls that belong to no noun; the rows of a noun are in its file noun.ts.
 */
const OF_NO_NOUN: TestedNoun = {
  permissions: `
                                  nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /.well-known/security.txt     200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /                             200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /* (a page)                   200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /* (a call that is none)      404    404  404    404     404         404   404        404   404               404      404     404          404     404
GET /index.html                   200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /assets/app-1a2b3c4d.js       200    200  200    200     200         200   200        200   200               200      200     200          200     200
OPTIONS * (no browser's question) 204    204  204    204     204         204   204        204   204               204      204     204          204     204
`,
  requests: {
    'GET /* (a page)': (target) => ({ params: { '*': `machine/${target.serial}` } }),
    'GET /* (a call that is none)': () => ({ params: { '*': 'api/niets' } }),
    "OPTIONS * (no browser's question)": () => ({ params: { '*': '/api/live' } }),
  },
};

/**
 * Marks that follow the statuses of a row. `proof`: the call asks for re-authentication. `nothing`: the call succeeds without a change,
 * because it sends a mail or reads something. `no-head`: a GET that changes something, and therefore does not answer HEAD, which programs
 * send to explore. `generated`: the answer has generated values or current counts, so only its status is compared.
 */
const MARKS = ['proof', 'nothing', 'no-head', 'generated'] as const;

/** `name`: as in the table; `route`: 'METHOD /path', without the part in parentheses. */
export type PermissionRow = {
  readonly name: string;
  readonly route: string;
  readonly is: Readonly<Record<Person, number>>;
  readonly marks: ReadonlySet<(typeof MARKS)[number]>;
  readonly ask: MakeRequest;
};

export const PERMISSION_ROWS: readonly PermissionRow[] = [OF_NO_NOUN, ...NOUNS].flatMap(read);

function read({ permissions, requests = {} }: TestedNoun): PermissionRow[] {
  const [head = '', ...lines] = permissions.split('\n').filter((line) => line.trim() !== '');
  if (head.trim().split(/\s+/).join() !== PEOPLE.join()) throw new Error(`The columns are not ${PEOPLE}`);
  const rows = lines.map((line) => {
    const [, name = '', statuses = '', words = ''] = /^(.*?)\s+((?:\d{3}\s*)+)([a-z -]*)$/.exec(line) ?? [];
    const is = statuses.trim().split(/\s+/).map(Number);
    if (is.length !== PEOPLE.length) throw new Error(`The number of statuses is wrong: ${line}`);
    const marks = MARKS.filter((mark) => words.split(' ').includes(mark));
    if (marks.join(' ') !== words) throw new Error(`A mark is not one of ${MARKS}, in this order: ${line}`);
    return {
      name,
      route: name.replace(/ \(.*\)$/, ''),
      is: Object.fromEntries(PEOPLE.map((person, n) => [person, is[n]])) as PermissionRow['is'],
      marks: new Set(marks),
      ask: requests[name] ?? (() => ({})),
    };
  });
  const unknown = Object.keys(requests).filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) throw new Error(`Requests without a row: ${unknown}`);
  return rows;
}
