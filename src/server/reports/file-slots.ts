import { ProblemError } from '#server/platform/problem.ts';

/** Limits how many files an organization makes at the same time. A caller without a slot gets an error at once and may retry. */
export function openFileSlots(most: number) {
  const taken = new Map<number, number>();
  return {
    /**
     * Takes a slot.
     * @returns releases the slot
     * @throws ProblemError 429 if all slots are taken
     */
    take(organizationId: number): () => void {
      const count = taken.get(organizationId) ?? 0;
      if (count >= most)
        throw new ProblemError(
          'too_many_requests',
          `Er worden al ${most} rapporten voor deze organisatie gemaakt. Probeer het zo weer.`,
        );
      taken.set(organizationId, count + 1);
      return () => {
        const left = (taken.get(organizationId) ?? 1) - 1;
        if (left > 0) taken.set(organizationId, left);
        else taken.delete(organizationId);
      };
    },
  };
}
