import { useState } from 'react';
import { configParts, runChain, writerPart } from '#web/machines/creation-chain.ts';
import { useRenewal } from './logger-calls.ts';

type Continue = {
  /** What the server said of the steps of this time. */
  readonly said: string | undefined;
  /** Rejects with why it stopped; what was done before that stays, and is shown. */
  readonly goOn: (loggerSerial: string) => Promise<void>;
};

/** The creation chain from where it broke: the logger when none is bound, then a new configuration (MEDIT-05). */
export function useContinue(serial: string, hasWriter: boolean): Continue {
  const renew = useRenewal(serial);
  const [said, setSaid] = useState<string>();
  const goOn = async (loggerSerial: string): Promise<void> => {
    setSaid(undefined);
    const writer = hasWriter ? [] : [writerPart(serial, loggerSerial.trim())];
    const outcome = await runChain([...writer, ...configParts(serial)], () => undefined);
    await renew();
    if (outcome.said.length > 0) setSaid(outcome.said.join(' '));
    if (outcome.failed) throw outcome.failed.error;
  };
  return { said, goOn };
}
