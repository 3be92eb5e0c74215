import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { MachineDetails } from '#shared/contract/machines.ts';
import { ApiError, callApi, isOutage } from '#web/lib/api.ts';
import {
  bindLoggerStep,
  type ChainOutcome,
  type ChainStep,
  configChainSteps,
  type NamedLogger,
  type RunnableChainStep,
  runCreationChain,
} from '#web/machines/creation-chain.ts';
import { type LoggerElsewhere, loggerElsewhere } from '#web/machines/move-logger.tsx';
import { refreshQueries } from '#web/queries/use-change.ts';
import { type MachineDraft, machineParameters, unsentAccessoryText } from './machine-draft.ts';
import { wasMadeByForm } from './made-before.ts';

/** The result of a creation: the machine was made, and some or all of the later steps succeeded. */
export type CreatedMachine = ChainOutcome & {
  readonly serial: string;
  readonly alias: string;
  readonly logger: NamedLogger;
  /** Serial number of the reference machine, whose data definition is copied; '' for none. */
  readonly reference: string;
};

/** Why the server refused the machine's record, if the user can resolve the reason. */
type Refusal = {
  /** Serial number of the machine that already exists. */
  readonly existing?: string;
  readonly elsewhere?: LoggerElsewhere;
};

type CreateChain = {
  /** The step that is running; undefined if none is. */
  readonly step: ChainStep | undefined;
  readonly creation: CreatedMachine | undefined;
  readonly refusal: Refusal;
  /**
   * Makes the machine's record and runs the later steps. Rejects if the server refused the record; nothing was made
   * then. If an earlier attempt made the record but its response was lost, continues with that record. `from`: the
   * machine from which the logger may be moved.
   */
  readonly create: (draft: MachineDraft, from?: string) => Promise<void>;
  /** Continues at the failed step. `from`: the machine from which the logger may be moved. */
  readonly resume: (from?: string) => Promise<void>;
  /** Discards the result, to make another machine. */
  readonly reset: () => void;
};

type Made = Pick<CreatedMachine, 'serial' | 'alias' | 'logger' | 'reference'>;

/** Returns the steps that follow once the machine's record is made: binding the logger, configuration, download. */
const partsOf = (
  { serial, logger, reference }: Made,
  from: string | undefined,
): readonly RunnableChainStep[] => [
  bindLoggerStep(serial, logger, reference, from),
  ...configChainSteps(serial, logger.kind),
];

/** Runs the steps of making a machine: its record, the binding of its logger, configuration and download (MEDIT-05). */
export function useCreateChain(): CreateChain {
  const client = useQueryClient();
  const [step, setStep] = useState<ChainStep>();
  const [creation, setCreation] = useState<CreatedMachine>();
  const [refusal, setRefusal] = useState<Refusal>({});
  /** Serial numbers of records for which no response was received. */
  const lostSerials = useRef(new Set<string>());

  const makeRecord = async (draft: MachineDraft, from: string | undefined): Promise<string> => {
    const query = machineParameters(draft);
    const { loggerKind: logger_kind } = draft;
    const body = { ...query, logger_kind, ...(from !== undefined && { logger_from: from }) };
    try {
      return (await callApi('POST /api/machine/create', { body })).serialNumber;
    } catch (error) {
      if (isOutage(error) || !(error instanceof ApiError && error.fromServer))
        lostSerials.current.add(query.machine_serial);
      const machine = await machineInTheWay(error, query.machine_serial);
      if (machine && wasMadeByForm(machine, query, lostSerials.current.has(query.machine_serial)))
        return machine.serialNumber;
      const elsewhere = loggerElsewhere(error, query.influx_serial);
      setRefusal({
        ...(machine && { existing: machine.serialNumber }),
        ...(elsewhere && elsewhere.at !== machine?.serialNumber && { elsewhere }),
      });
      throw error;
    }
  };

  const run = async (
    made: Made,
    before: ChainOutcome,
    parts: readonly RunnableChainStep[],
  ): Promise<void> => {
    const outcome = await runCreationChain(parts, setStep);
    setStep(undefined);
    setCreation({
      ...made,
      ...outcome,
      done: [...before.done, ...outcome.done],
      messages: [...before.messages, ...outcome.messages],
    });
    void refreshQueries(client, 'POST /api/machine/create');
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
    const { alias, influx_serial: loggerSerial, dbc_machine: reference } = machineParameters(draft);
    const unsent = unsentAccessoryText(draft);
    const made = { serial, alias, logger: { kind: draft.loggerKind, serial: loggerSerial }, reference };
    await run(
      made,
      { done: ['record'], messages: unsent === undefined ? [] : [unsent] },
      partsOf(made, from),
    );
  };

  const resume = async (from?: string): Promise<void> => {
    if (!creation) return;
    const { serial, alias, logger, reference, done } = creation;
    const made = { serial, alias, logger, reference };
    const open = partsOf(made, from).filter((part) => !done.includes(part.step));
    await run(made, creation, open);
  };

  return { step, creation, refusal, create, resume, reset: () => setCreation(undefined) };
}

/**
 * Returns the machine that already has the serial number, if that is why the record was refused. An earlier
 * attempt may have made this machine.
 */
async function machineInTheWay(error: unknown, serial: string): Promise<MachineDetails | undefined> {
  if (!(error instanceof ApiError) || !error.faults.some(({ field }) => field === 'machine_serial'))
    return undefined;
  if (error.code !== 'conflict') return undefined;
  return callApi('GET /api/machine/get/serial', { query: { serialNumber: serial } }).catch(() => undefined);
}
