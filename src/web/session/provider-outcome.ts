import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { SecondFactorKind } from '#shared/contract/problem.ts';
import { type OidcOutcome, parseFactorKindsHash, parseOidcOutcome } from '#shared/domain/oidc.ts';

type ProviderResult = {
  readonly outcome?: OidcOutcome | undefined;
  /** The provider confirmed the user; the portal also asks for one of these second factors. */
  readonly factors?: readonly SecondFactorKind[] | undefined;
};

/** Returns the result of a sign-in at an identity provider and removes it from the address, so that a reload does not repeat it. */
export function useProviderOutcome(): ProviderResult {
  const { hash, pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [result, setResult] = useState<ProviderResult>({});
  useEffect(() => {
    const outcome = parseOidcOutcome(hash);
    const factors = parseFactorKindsHash(hash) as readonly SecondFactorKind[] | undefined;
    if (outcome === undefined && factors === undefined) return;
    setResult({ outcome, factors });
    void navigate(pathname + search, { replace: true, state });
  }, [hash, pathname, search, state, navigate]);
  return result;
}
