-- A charge level of 0 that comes or goes faster than a battery can does not count (docs/figures.md section 1).
-- Computed from the readings, once; what is counted by day follows.
update latest set recompute_from = '-infinity' where time > '-infinity';
