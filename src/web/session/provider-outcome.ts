import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type OidcOutcome, outcomeIn } from '#shared/domain/oidc.ts';

/** What became of the way to an identity provider, as the address tells, once: a reload is no second time. */
export function useProviderOutcome(): OidcOutcome | undefined {
  const { hash, pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<OidcOutcome>();
  const arrived = outcomeIn(hash);
  useEffect(() => {
    if (arrived === undefined) return;
    setOutcome(arrived);
    void navigate(pathname + search, { replace: true, state });
  }, [arrived, pathname, search, state, navigate]);
  return outcome;
}
