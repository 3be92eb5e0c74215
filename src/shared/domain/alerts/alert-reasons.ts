import { ATTENTION_KINDS, type Attention, addAttentionReason } from '../attention.ts';
import { type AlertKind, isSilenceKind } from './kinds.ts';

/** Returns the reasons for attention of a machine, extended with those that its open alerts give; each kind of reason once. */
export function withAlertReasons(
  reasons: readonly Attention[],
  alerts: readonly { readonly kind: AlertKind; readonly words: string }[],
): readonly Attention[] {
  let all = reasons;
  for (const { kind: alertKind, words } of alerts) {
    const name = isSilenceKind(alertKind) ? 'silent' : alertKind;
    const kind = ATTENTION_KINDS.find((one) => one === name);
    if (kind && !all.some((one) => one.kind === kind)) all = addAttentionReason(all, { kind, words });
  }
  return all;
}
