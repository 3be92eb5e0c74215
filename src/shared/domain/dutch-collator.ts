/**
 * The order of names in lists: ignores case and accents, and sorts 'Kraan 2' before 'Kraan 10'. Created once, because creating a
 * collator is slow.
 */
export const DUTCH_COLLATOR = new Intl.Collator('nl', { sensitivity: 'base', numeric: true });
