-- A machine has moved too when three places go away from where its bucket begins (docs/figures.md section 6).
-- Computed from the readings, once; what is counted by day follows.
update latest set recompute_from = '-infinity' where time > '-infinity';
