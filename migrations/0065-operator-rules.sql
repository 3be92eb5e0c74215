-- Administrators get alerts about a full disk, old backups, stuck mails and unknown loggers, unless they switch these rules off. Until
-- now the rules were off. The migration changes nothing where an administrator ever made, changed or deleted such a rule. A new portal
-- gets the same rules at its first start (src/server/alerts/operator-rules.ts).
insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, roles, tells_end, is_on, valid_from)
select o.id, r.name, r.kind, r.settings::jsonb, 'always', 'all', r.severity, '{administrator}', false, true, now()
from organization o cross join (values
    ('Schijf bijna vol', 'disk', '{"threshold": 10, "clear": 12}', 'urgent'),
    ('Back-up te oud', 'backup-old', '{"threshold": 2}', 'urgent'),
    ('Mail komt niet weg', 'mail-failing', '{"threshold": 30}', 'notice'),
    ('Onbekende logger', 'unknown-logger', '{"threshold": 3}', 'notice')
  ) as r (name, kind, settings, severity)
where o.name = 'admin'
  and not exists (select from alert_rule where organization_id = o.id)
  and not exists (select from audit where organization_id = o.id and action like 'alert-rule.%');
