-- People are notified again of a move outside working hours when the machine is 1 km and 10 km away.
alter table alert add column reached_metres integer;  -- 1000, 10000; null: not that far, or of another kind
alter table alert_outbox
  drop constraint alert_outbox_step_check,
  add constraint alert_outbox_step_check check (step in ('opened', 'further-1', 'further-10', 'closed', 'withdrawn'));
