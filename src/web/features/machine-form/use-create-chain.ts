import { useRef, useState } from 'react';
import type { MachineDetails } from '#shared/contract/machines.ts';
import { ApiError, call, isOutage } from '#web/lib/api.ts';
import {
  type ChainOutcome,
  type ChainPart,
  type ChainStep,
  configParts,
  type NamedLogger,
  runChain,
  writerPart,
} from '#web/machines/creation-chain.ts';
import { type LoggerElsewhere, loggerElsewhere } from '#web/machines/move-logger.tsx';
import { leftOver, type MachineDraft, queryOf } from './machine-draft.ts';
import { useRenewal } from './machine-form-calls.ts';
import { isMadeOf } from './made-before.ts';

/** What came of a creation: the machine is there, and perhaps not yet more. */
export type Creation = ChainOutcome & {
  readonly serial: string;
  readonly alias: string;
  readonly logger: NamedLogger;
  /** Serial number of the machine whose data definition its logger gets, or ''. */
  readonly reference: string;
};

/** Why a record was refused, as far as more can be done about it. */
type Refusal = {
  /** The serial number of a machine that is there. */
  readonly taken?: string;
  readonly elsewhere?: LoggerElsewhere;
};

type CreateChain = {
  /** The step under way. */
  readonly step: ChainStep | undefined;
  readonly creation: Creation | undefined;
  readonly refusal: Refusal;
  /**
   * Runs the chain. Rejects when the record itself was refused: nothing was made then. A record that was made by a try
   * whose answer got lost is gone on with. `from`: what the logger may be taken from.
   */
  readonly create: (draft: MachineDraft, from?: string) => Promise<void>;
  /** Goes on at the step that failed, with the logger taken from where it may be. */
  readonly goOn: (from?: string) => Promise<void>;
  /** Begins another machine. */
  readonly forget: () => void;
};

type Made = Pick<Creation, 'serial' | 'alias' | 'logger' | 'reference'>;

/** The steps after the record. */
const partsOf = ({ serial, logger, reference }: Made, from: string | undefined): readonly ChainPart[] => [
  writerPart(serial, logger, reference, from),
  ...configParts(serial, logger.kind),
];

/** Record, writer, configuration, download (MEDIT-05). */
export function useCreateChain(): CreateChain {
  const renew = useRenewal();
  const [step, setStep] = useState<ChainStep>();
  const [creation, setCreation] = useState<Creation>();
  const [refusal, setRefusal] = useState<Refusal>({});
  /** Serial numbers of records whose answer did not come. */
  const lost = useRef(new Set<string>());

  const makeRecord = async (draft: MachineDraft, from: string | undefined): Promise<string> => {
    const query = queryOf(draft);
    const { loggerKind: logger_kind } = draft;
    const body = { ...query, logger_kind, ...(from !== undefined && { logger_from: from }) };
    try {
      return (await call('POST /api/machine/create', { body })).serialNumber;
    } catch (error) {
      if (isOutage(error) || !(error instanceof ApiError && error.fromServer))
        lost.current.add(query.machine_serial);
      const machine = await machineInTheWay(error, query.machine_serial);
      if (machine && isMadeOf(machine, query, lost.current.has(query.machine_serial)))
        return machine.serialNumber;
      const elsewhere = loggerElsewhere(error, query.influx_serial);
      setRefusal({
        ...(machine && { taken: machine.serialNumber }),
        ...(elsewhere && elsewhere.at !== machine?.serialNumber && { elsewhere }),
      });
      throw error;
    }
  };

  /** The steps after those that are done. */
  const run = async (made: Made, before: ChainOutcome, parts: readonly ChainPart[]): Promise<void> => {
    const outcome = await runChain(parts, setStep);
    setStep(undefined);
    setCreation({
      ...made,
      ...outcome,
      done: [...before.done, ...outcome.done],
      said: [...before.said, ...outcome.said],
    });
    void renew(made.serial);
  };

  const create = async (draft: MachineDraft, from?: string): Promise<void> => {
    setRefusal({});
    setStep('record');
    let serial: string;
    try {
      serial = await makeRecord(draft, from);
    } catch (error) {
      setStep(undefined);
      throw error;
    }
    const { alias, influx_serial: loggerSerial, dbc_machine: reference } = queryOf(draft);
    const unsent = leftOver(draft);
    const made = { serial, alias, logger: { kind: draft.loggerKind, serial: loggerSerial }, reference };
    await run(made, { done: ['record'], said: unsent === undefined ? [] : [unsent] }, partsOf(made, from));
  };

  const goOn = async (from?: string): Promise<void> => {
    if (!creation) return;
    const { serial, alias, logger, reference, done } = creation;
    const made = { serial, alias, logger, reference };
    const open = partsOf(made, from).filter((part) => !done.includes(part.step));
    await run(made, creation, open);
  };

  return { step, creation, refusal, create, goOn, forget: () => setCreation(undefined) };
}

/** The machine that has this serial number, where the refusal is about it: perhaps of a try whose answer got lost. */
async function machineInTheWay(error: unknown, serial: string): Promise<MachineDetails | undefined> {
  if (!(error instanceof ApiError) || !error.faults.some(({ field }) => field === 'machine_serial'))
    return undefined;
  if (error.code !== 'conflict') return undefined;
  return call('GET /api/machine/get/serial', { query: { serialNumber: serial } }).catch(() => undefined);
}
