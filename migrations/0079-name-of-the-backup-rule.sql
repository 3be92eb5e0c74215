-- The rule about backups warns of failed ones too. Where nobody renamed it, its name says so.
update alert_rule set name = 'Back-up te oud of mislukt' where kind = 'backup-old' and name = 'Back-up te oud';
