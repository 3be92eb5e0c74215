-- Ends assignments to projects of former owners, and exceptions of these projects, at the moment of the sale.
create or replace function end_former_assignments() returns trigger language plpgsql as $$
begin
  delete from assignment a using project p
  where a.stream_id = new.stream_id and p.id = a.project_id and p.organization_id <> new.organization_id
    and a.valid_from >= new.valid_from;
  update assignment a set valid_to = new.valid_from from project p
  where a.stream_id = new.stream_id and p.id = a.project_id and p.organization_id <> new.organization_id
    and a.valid_to > new.valid_from;
  delete from project_exception e using project p
  where e.stream_id = new.stream_id and p.id = e.project_id and p.organization_id <> new.organization_id
    and e.valid_from >= new.valid_from;
  update project_exception e set valid_to = new.valid_from from project p
  where e.stream_id = new.stream_id and p.id = e.project_id and p.organization_id <> new.organization_id
    and e.valid_to > new.valid_from;
  return null;
end $$;
create or replace trigger end_former_assignments after insert on ownership
for each row when (new.valid_to = 'infinity') execute function end_former_assignments();
