import { ProblemError } from '#server/platform/problem.ts';

/** Bounds what one organization does at once: who finds no place is told so at once, and tries again. */
export function openPlaces(most: number) {
  const taken = new Map<number, number>();
  return {
    /** @returns leaves the place. @throws ProblemError 429 there is none */
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
