/** Thrown by who knows that no later try can succeed: the recipient is unknown, what it is about is gone. */
export class PermanentFailure extends Error {}

/** Class 22 data exception, 23 integrity constraint violation (PostgreSQL appendix A). */
const REFUSED_DATA = /^2[23][0-9A-Z]{3}$/;

/**
 * Whether a job that failed so can never succeed: its work says so, or the rules of the database refuse its data, which
 * are the same at every try. All else may pass or be mended: a mail server or a database that is away, a full disk, a
 * deadlock, a missing right, an error of ours that the next version corrects.
 */
export function isPermanent(error: unknown): boolean {
  if (error instanceof PermanentFailure) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof Error && typeof code === 'string' && REFUSED_DATA.test(code);
}
