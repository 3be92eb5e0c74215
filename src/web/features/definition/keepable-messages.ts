import type { DefinitionBus, KeptMessage } from '#shared/contract/definition.ts';
import { keptKey } from './draft-merge.ts';

export type KeepableMessage = KeptMessage & {
  /** Identifier, number of signals, comment. */
  readonly about: string;
  /** What a search looks in. */
  readonly text: string;
};

/** Every message that holds signals, once per bus and name; those that are kept and gone come first. */
export function keepableMessages(
  buses: readonly DefinitionBus[],
  keep: readonly KeptMessage[],
): KeepableMessage[] {
  const messages = new Map<string, KeepableMessage>();
  for (const { bus, messages: defined } of buses) {
    for (const { name: message, identifier, comment, signals } of defined) {
      const key = keptKey({ bus, message });
      if (signals.length === 0 || messages.has(key)) continue;
      const number = `${signals.length} ${signals.length === 1 ? 'signaal' : 'signalen'}`;
      const about = [identifier, number, comment].filter(Boolean).join(' · ');
      messages.set(key, { bus, message, about, text: `${message} can${bus} ${about}` });
    }
  }
  const gone = keep
    .filter((one) => !messages.has(keptKey(one)))
    .map((one) => ({
      ...one,
      about: 'staat niet meer in het DBC-bestand',
      text: `${one.message} can${one.bus}`,
    }));
  return [...gone, ...messages.values()];
}
