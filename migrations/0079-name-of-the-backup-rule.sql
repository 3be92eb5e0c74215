-- The rule about backups warns of failed ones too. Its name says so, unless an administrator renamed it.
update alert_rule set name = 'Back-up te oud of mislukt' where kind = 'backup-old' and name = 'Back-up te oud';
