import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { FactorKind } from '#shared/contract/problem.ts';
import { factorsIn, type OidcOutcome, outcomeIn } from '#shared/domain/oidc.ts';

type Came = {
  readonly outcome?: OidcOutcome | undefined;
  /** The way ended well, and one of these is asked besides. */
  readonly factors?: readonly FactorKind[] | undefined;
};

/** What became of the way to an identity provider, as the address tells, once: a reload is no second time. */
export function useProviderOutcome(): Came {
  const { hash, pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [came, setCame] = useState<Came>({});
  useEffect(() => {
    const outcome = outcomeIn(hash);
    const factors = factorsIn(hash) as readonly FactorKind[] | undefined;
    if (outcome === undefined && factors === undefined) return;
    setCame({ outcome, factors });
    void navigate(pathname + search, { replace: true, state });
  }, [hash, pathname, search, state, navigate]);
  return came;
}
