-- Current into a battery while the machine stands still is charged, and a current out that contradicts the charge level does not
-- count (docs/figures.md sections 2 and 4). Computed from the readings, once; what is counted by day follows.
update latest set recompute_from = '-infinity' where time > '-infinity';
-- The comparison of the charge level with the counted energy, made when days are counted (src/server/day-figures/compare-signals.ts).
alter table day_cursor
  add column compared_at timestamptz,              -- the newest reading when both were compared last
  add column compare_from timestamptz,             -- the definition was changed then: what was measured before does not count
  add column contradiction jsonb;                  -- shared/domain/signal-contradiction.ts; null: they agree
