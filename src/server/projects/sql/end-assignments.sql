-- A sale ends what was assigned by hand to projects of former owners, at the moment of the sale.
create or replace function end_former_assignments() returns trigger language plpgsql as $$
begin
  delete from assignment a using project p
  where a.stream_id = new.stream_id and p.id = a.project_id and p.organization_id <> new.organization_id
    and a.valid_from >= new.valid_from;
  update assignment a set valid_to = new.valid_from from project p
  where a.stream_id = new.stream_id and p.id = a.project_id and p.organization_id <> new.organization_id
    and a.valid_to > new.valid_from;
  return null;
end $$;
create or replace trigger end_former_assignments after insert on ownership
for each row when (new.valid_to = 'infinity') execute function end_former_assignments();
