-- An administrator who looks for a logger whose key is refused sees where it wanted to write.
alter table unknown_key add folder text not null default '';  -- of the last upload that named one, without the bucket
