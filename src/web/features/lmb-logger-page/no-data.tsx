import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { momentText } from './moment.ts';

type NoDataProps = {
  readonly range: TimeRange;
  /** 'YYYY-MM-DD'. */
  readonly lastDay: string | null;
  readonly onDay: (date: string) => void;
};

/** A range in which nothing was reported, and the way to where something was. */
export function NoData({ range, lastDay, onDay }: NoDataProps): ReactNode {
  return (
    <EmptyState title="Geen gegevens in deze periode">
      <p>
        Van {momentText(range.from)} tot {momentText(range.to)} heeft de logger niets gemeld.
      </p>
      {lastDay === null ? (
        <p>De logger heeft nog nooit iets gemeld.</p>
      ) : (
        <Button size="md" onClick={() => onDay(lastDay)}>
          Toon {lastDay.split('-').reverse().join('-')}, de laatste dag met gegevens
        </Button>
      )}
    </EmptyState>
  );
}
