/** A failure that no retry can resolve: the recipient is unknown, or the subject was deleted. */
export class PermanentFailure extends Error {}

/** Class 22 data exception, 23 integrity constraint violation (PostgreSQL appendix A). */
const REFUSED_DATA = /^2[23][0-9A-Z]{3}$/;

/**
 * Returns whether a job that failed with this error can never succeed: the job says so, or a constraint of the database refuses
 * its data, which are the same in every retry. Other failures may pass or be repaired: an unreachable mail server or database,
 * a full disk, a deadlock, a missing right, a bug that the next version corrects.
 */
export function isPermanent(error: unknown): boolean {
  if (error instanceof PermanentFailure) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof Error && typeof code === 'string' && REFUSED_DATA.test(code);
}
