-- Without a mail server an administrator hands the link over, so it does not prove who reads the mail of that address.
alter table password_reset add column is_handed_over boolean not null default false;
