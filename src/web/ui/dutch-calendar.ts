import '@mantine/dates/styles.css';
import 'dayjs/locale/nl';
import type { DatePickerProps } from '@mantine/dates';

/** Dutch settings of a calendar. */
export const DUTCH_CALENDAR = {
  locale: 'nl',
  firstDayOfWeek: 1,
  weekendDays: [],
  hideOutsideDates: true,
  ariaLabels: {
    nextMonth: 'Volgende maand',
    previousMonth: 'Vorige maand',
    nextYear: 'Volgend jaar',
    previousYear: 'Vorig jaar',
    nextDecade: 'Volgende tien jaar',
    previousDecade: 'Vorige tien jaar',
  },
} satisfies Partial<DatePickerProps>;
