-- The alerts of a rule may wait for one mail a day.
alter table alert_rule
  drop constraint alert_rule_severity_check,
  add constraint alert_rule_severity_check check (severity in ('notice', 'urgent', 'daily'));
