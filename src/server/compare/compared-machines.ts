import type { Database } from '#server/platform/database.ts';
import { invalidInputError, notFound, ProblemError } from '#server/platform/problem.ts';
import {
  findHistory,
  type OwnHistory,
  visibleStreamsParameters,
  visibleStreamsSql,
} from '#server/streams/scope.ts';
import { normalizeSerial } from '#server/streams/streams.store.ts';
import type { Scope } from '#shared/domain/access.ts';
import { MAX_COMPARED_MACHINES, MIN_COMPARED_MACHINES } from '#shared/domain/compare.ts';
import { parseJson } from '#shared/domain/outside-json.ts';

export type ComparedMachine = OwnHistory & {
  readonly serial: string;
  readonly alias: string;
  readonly brand: string;
  readonly model: string;
};

/**
 * Returns the machines of a scope that a JSON list names, in the order of the list.
 * @throws ProblemError 400 if the text is no list of two to five different serial numbers, or names an LMB logger of the scope; 404
 * for a machine outside the scope
 */
export async function readComparedMachines(
  db: Database,
  scope: Scope,
  text: string,
): Promise<ComparedMachine[]> {
  const found: ComparedMachine[] = [];
  for (const [at, serial] of serialsIn(text).entries())
    found.push(await readOne(db, scope, serial, ORDINALS[at] as string));
  return found;
}

const ORDINALS = ['eerste', 'tweede', 'derde', 'vierde', 'vijfde'];

/**
 * Parses the list.
 * @throws ProblemError 400
 */
function serialsIn(text: string): string[] {
  let list: unknown;
  try {
    list = parseJson(text);
  } catch {
    list = undefined;
  }
  if (!Array.isArray(list) || !list.every((serial) => typeof serial === 'string'))
    throw invalidInputError('De machines zijn een JSON-lijst van serienummers.');
  const serials = list.map(normalizeSerial).filter((serial) => serial !== '');
  if (serials.length < MIN_COMPARED_MACHINES) throw invalidInputError('Kies minstens twee machines.');
  if (serials.length > MAX_COMPARED_MACHINES)
    throw invalidInputError(`Kies hoogstens vijf machines; dit zijn er ${serials.length}.`);
  const twice = serials.find(
    (serial, at) => serials.findIndex((other) => other.toLowerCase() === serial.toLowerCase()) < at,
  );
  if (twice !== undefined) throw invalidInputError(`Machine '${twice}' staat er twee keer in.`);
  return serials;
}

/**
 * Reads one machine.
 * @param ordinal position in the list, in Dutch: an error about a machine of another organization does not give its serial number
 */
async function readOne(
  db: Database,
  scope: Scope,
  serial: string,
  ordinal: string,
): Promise<ComparedMachine> {
  const history = await findHistory(db, scope, serial, ['machine']).catch(async (error) => {
    const isMissing = error instanceof ProblemError && error.code === 'not_found';
    throw isMissing ? await missingReason(db, scope, serial, ordinal) : error;
  });
  const { rows } = await db.query<Omit<ComparedMachine, keyof OwnHistory>>(
    `select s.serial, s.alias, m.brand, m.model from ${visibleStreamsSql(scope)} join machine m on m.stream_id = s.id where s.id = $3`,
    [...visibleStreamsParameters(scope, ['machine']), history.streamId],
  );
  if (!rows[0]) throw unknown(ordinal);
  return { ...history, ...rows[0] };
}

const unknown = (ordinal: string) => notFound(`De ${ordinal} machine bestaat niet.`);

async function missingReason(
  db: Database,
  scope: Scope,
  serial: string,
  ordinal: string,
): Promise<ProblemError> {
  const isLogger = await findHistory(db, scope, serial, ['logger']).then(
    () => true,
    () => false,
  );
  return isLogger
    ? invalidInputError(`'${serial}' is een LMB-logger. Alleen machines kunnen worden vergeleken.`)
    : unknown(ordinal);
}
