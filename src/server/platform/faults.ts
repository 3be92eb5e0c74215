import type { Fault, ProblemCode } from '#shared/contract/problem.ts';
import type { Checked } from '#shared/domain/identifiers.ts';
import { ProblemError } from './problem.ts';

/** What is wrong with the fields of a form, all of it before it is told. */
export class Faults {
  readonly #found: (Fault & { readonly code: ProblemCode })[] = [];
  readonly #order: readonly string[];

  /** @param order the fields as they stand on the screen */
  constructor(order: readonly string[]) {
    this.#order = order;
  }

  /** What was typed, as it is stored. Only to be used once `throwIfAny` has passed. */
  take<T>(field: string, checked: Checked<T>): T {
    if (!checked.ok) this.add(field, checked.reason);
    return (checked.ok ? checked.value : undefined) as T;
  }

  add(field: string, message: string): void {
    this.#found.push({ code: 'invalid', field, message });
  }

  /** What `work` finds out about a field in which nothing is wrong yet; undefined when it refuses. */
  async ask<T>(field: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#found.some((fault) => fault.field === field)) return undefined;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { code, message, faults } = error;
      this.#found.push({ ...faults?.[0], code, field, message });
      return undefined;
    }
  }

  /** @throws ProblemError with all of them; 400 where one of them is wrong whatever else is stored */
  throwIfAny(): void {
    const [first] = this.#found;
    if (!first) return;
    const place = ({ field }: Fault): number => this.#order.indexOf(field);
    const faults = [...this.#found].sort((a, b) => place(a) - place(b));
    throw new ProblemError(
      faults.some(({ code }) => code === 'invalid') ? 'invalid' : first.code,
      faults.map(({ message }) => message).join(' '),
      faults.map(({ code: _, ...fault }) => fault),
    );
  }
}
