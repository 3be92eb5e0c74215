import type { FieldError, ProblemCode } from '#shared/contract/problem.ts';
import type { CheckResult } from '#shared/domain/identifiers.ts';
import { ProblemError } from './problem.ts';

/** Collects the errors in the fields of a call, so that the answer contains all of them. */
export class FieldErrors {
  readonly #found: (FieldError & { readonly code: ProblemCode })[] = [];
  readonly #order: readonly string[];

  /**
   * Creates an empty collection.
   * @param order the names of the fields, in the order of the screen
   */
  constructor(order: readonly string[]) {
    this.#order = order;
  }

  /** Returns the checked value, or adds its error. Use the value only after `throwIfAny`. */
  take<T>(field: string, checked: CheckResult<T>): T {
    if (!checked.ok) this.add(field, checked.reason);
    return (checked.ok ? checked.value : undefined) as T;
  }

  add(field: string, message: string): void {
    this.#found.push({ code: 'invalid', field, message });
  }

  /** Runs `work` for a field that has no error yet; returns undefined and adds an error when `work` throws a ProblemError. */
  async ask<T>(field: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#found.some((error) => error.field === field)) return undefined;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { code, message, faults } = error;
      this.#found.push({ ...faults?.[0], code, field, message });
      return undefined;
    }
  }

  /** Throws if there are errors. @throws ProblemError with all errors; 400 if any has the code 'invalid', else the first error's code */
  throwIfAny(): void {
    const [first] = this.#found;
    if (!first) return;
    const place = ({ field }: FieldError): number => this.#order.indexOf(field);
    const errors = [...this.#found].sort((a, b) => place(a) - place(b));
    throw new ProblemError(
      errors.some(({ code }) => code === 'invalid') ? 'invalid' : first.code,
      errors.map(({ message }) => message).join(' '),
      errors.map(({ code: _, ...error }) => error),
    );
  }
}
