-- Who asks to be let in by their organization's provider: the account that is made of it is bound to them.
alter table applicant add column issuer text, add column subject text;
