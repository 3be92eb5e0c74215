import { neverEnds, type Story } from '#web/gallery/story.ts';
import { ApiError } from '#web/lib/api.ts';
import { FailureAlert, Notice, OutcomeNotice, RetryAlert } from './notice.tsx';

const LONG =
  'De machine is opgeslagen, maar de foto is niet verstuurd omdat het bestand groter is dan 10 MB. Kies een kleinere foto.';
const retry = (error: unknown, isFetching = false) => (
  <RetryAlert query={{ error, isFetching, refetch: neverEnds }} fallback="De lijst is niet geladen." />
);

export const Done: Story = { render: () => <Notice>Opgeslagen.</Notice> };
export const Failure: Story = { render: () => <FailureAlert>Opslaan is niet gelukt.</FailureAlert> };
export const Both: Story = { render: () => <OutcomeNotice note="Opgeslagen." failure={LONG} /> };
export const Silent: Story = { render: () => <OutcomeNotice note={undefined} /> };
export const Retry: Story = { render: () => retry(new Error()) };
export const Retrying: Story = { render: () => retry(new Error(), true) };
export const Missing: Story = {
  render: () => retry(new ApiError(404, { code: 'not_found', message: 'Deze machine bestaat niet.' }, true)),
};
