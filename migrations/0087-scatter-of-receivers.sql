-- A machine has moved from 100 m on, not from 75 m, and comes to a project or leaves it by more than its receiver wanders
-- (docs/figures.md sections 6 and 13). Computed from the readings, once; what is counted by day follows.
update latest set recompute_from = '-infinity' where time > '-infinity';
