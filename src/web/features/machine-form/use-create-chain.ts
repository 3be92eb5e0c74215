import { useState } from 'react';
import { ApiError, call } from '#web/lib/api.ts';
import {
  type ChainOutcome,
  type ChainStep,
  configParts,
  runChain,
  writerPart,
} from '#web/machines/creation-chain.ts';
import { leftOver, type MachineDraft, queryOf } from './machine-draft.ts';
import { useRenewal } from './machine-form-calls.ts';

/** What came of a creation: the machine is there, and perhaps not yet more. */
export type Creation = ChainOutcome & {
  readonly serial: string;
  readonly alias: string;
  readonly loggerSerial: string;
};

type CreateChain = {
  /** The step under way. */
  readonly step: ChainStep | undefined;
  readonly creation: Creation | undefined;
  /** The serial number that was refused because there is such a machine. */
  readonly taken: string | undefined;
  /** Runs the chain. Rejects when the record itself was refused: nothing was made then. */
  readonly create: (draft: MachineDraft) => Promise<void>;
  /** Begins another machine. */
  readonly forget: () => void;
};

/** Record, writer, configuration, download (MEDIT-05). */
export function useCreateChain(): CreateChain {
  const renew = useRenewal();
  const [step, setStep] = useState<ChainStep>();
  const [creation, setCreation] = useState<Creation>();
  const [taken, setTaken] = useState<string>();

  const create = async (draft: MachineDraft): Promise<void> => {
    const query = queryOf(draft);
    const unsent = leftOver(draft);
    let serial = query.machine_serial;
    setTaken(undefined);
    const record = {
      step: 'record',
      run: async () => {
        serial = (await call('GET /api/machine/create', { query })).serialNumber;
        return undefined;
      },
    } as const;
    const outcome = await runChain([record], setStep);
    if (outcome.failed) {
      setStep(undefined);
      if (await isTaken(outcome.failed.error, serial)) setTaken(serial);
      throw outcome.failed.error;
    }
    const rest = await runChain(
      [writerPart(serial, query.influx_serial, query.dbc_machine), ...configParts(serial)],
      setStep,
    );
    setStep(undefined);
    setCreation({
      ...rest,
      said: [...rest.said, ...(unsent === undefined ? [] : [unsent])],
      done: [...outcome.done, ...rest.done],
      serial,
      alias: query.alias,
      loggerSerial: query.influx_serial,
    });
    void renew(serial);
  };
  return { step, creation, taken, create, forget: () => setCreation(undefined) };
}

/** Whether the refusal is about the serial number: perhaps of a first try whose answer got lost. */
async function isTaken(error: unknown, serial: string): Promise<boolean> {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return false;
  return call('GET /api/machine/get/serial', { query: { serialNumber: serial } }).then(
    () => true,
    () => false,
  );
}
