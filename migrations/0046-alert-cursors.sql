-- Each look writes `state` anew, while those of before stay for a day: apart from the row they are not written each time. The room in
-- each page keeps the new row beside the old one, which saves the index.
alter table alert_cursor set (toast_tuple_target = 128, fillfactor = 50);
alter table alert_cursor
  alter column state set storage main,
  alter column older set storage external,
  alter column oldest set storage external;
