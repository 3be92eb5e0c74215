import { messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { ANY_SOURCE, groupOf, isSource, sourceOf } from './identifier.ts';

const FIRST_EXTENDED = messageKey({ id: 0, extended: true });
/** A bus has some hundred identifiers; what is beyond this is noise, and looked up again. */
const MOST_REMEMBERED = 8_192;

type Sender<Plan> = { readonly source: number; readonly plan: Plan };

/**
 * Finds the plan of a frame on a bus with J1939: by parameter group and source address where its message is J1939, whatever
 * the priority and the destination, and otherwise by the whole identifier. A message for one source comes before one for any.
 */
export class GroupPlans<Plan> {
  readonly #exact = new Map<number, Plan>();
  readonly #groups = new Map<number, Sender<Plan>[]>();
  readonly #found = new Map<number, Plan | undefined>();

  /**
   * @param plans by `messageKey`
   * @param groups the keys of those that are J1939
   */
  constructor(plans: ReadonlyMap<number, Plan>, groups: ReadonlySet<number>) {
    for (const [key, plan] of plans) {
      if (!groups.has(key)) {
        this.#exact.set(key, plan);
        continue;
      }
      const id = key - FIRST_EXTENDED;
      const senders = this.#groups.get(groupOf(id)) ?? [];
      senders.push({ source: sourceOf(id), plan });
      this.#groups.set(groupOf(id), senders);
    }
  }

  get(key: number): Plan | undefined {
    const known = this.#found.get(key);
    if (known !== undefined || this.#found.has(key)) return known;
    const plan =
      this.#exact.get(key) ?? (key >= FIRST_EXTENDED ? this.#ofGroup(key - FIRST_EXTENDED) : undefined);
    if (this.#found.size >= MOST_REMEMBERED) this.#found.clear();
    this.#found.set(key, plan);
    return plan;
  }

  #ofGroup(id: number): Plan | undefined {
    const senders = this.#groups.get(groupOf(id));
    const source = sourceOf(id);
    const own = senders?.find((sender) => sender.source === source && source !== ANY_SOURCE);
    const any = isSource(source) ? senders?.find((sender) => sender.source === ANY_SOURCE) : undefined;
    return (own ?? any)?.plan;
  }
}
