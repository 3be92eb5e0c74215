import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { dateAndSecond, dutchDate } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';

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
        Van {dateAndSecond(range.from)} tot {dateAndSecond(range.to)} heeft de logger niets gemeld.
      </p>
      {lastDay === null ? (
        <p>De logger heeft nog nooit iets gemeld.</p>
      ) : (
        <Button size="md" onClick={() => onDay(lastDay)}>
          Toon {dutchDate(lastDay)}, de laatste dag met gegevens
        </Button>
      )}
    </EmptyState>
  );
}
