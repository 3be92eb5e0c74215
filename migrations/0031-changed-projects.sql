-- Of a change of a project only presences follow: sums of days and charging sessions stay.
alter table changed_history add column only_presence boolean not null default false;
