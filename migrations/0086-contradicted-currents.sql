-- What goes into a battery while the machine stands still is charged, and a current out that contradicts the charge level does not
-- count (docs/figures.md sections 2 and 4). Computed from the readings, once; what is counted by day follows.
update latest set recompute_from = '-infinity' where time > '-infinity';
