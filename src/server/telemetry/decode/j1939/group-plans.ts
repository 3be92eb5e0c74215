import { ANY_SOURCE_ADDRESS, isEcuAddress, pgnOf, sourceAddressOf } from './identifier.ts';

/**
 * Finds the decoding plan for a frame by parameter group and source address; ignores priority and destination. A plan for one
 * source has priority over a plan for any source.
 */
export class J1939PlanIndex<Plan> {
  readonly #groups = new Map<number, { readonly source: number; readonly plan: Plan }[]>();

  /** Creates the plans. @param plans by the 29-bit identifier of their message */
  constructor(plans: Iterable<readonly [number, Plan]>) {
    for (const [id, plan] of plans) {
      const group = this.#groups.get(pgnOf(id)) ?? [];
      group.push({ source: sourceAddressOf(id), plan });
      this.#groups.set(pgnOf(id), group);
    }
  }

  /** Returns the plan for a frame. @param id the 29-bit identifier of a frame */
  find(id: number): Plan | undefined {
    const group = this.#groups.get(pgnOf(id));
    const source = sourceAddressOf(id);
    const own = group?.find((one) => one.source === source && source !== ANY_SOURCE_ADDRESS);
    const any = isEcuAddress(source) ? group?.find((one) => one.source === ANY_SOURCE_ADDRESS) : undefined;
    return (own ?? any)?.plan;
  }
}
