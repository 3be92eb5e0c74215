-- An account is bound to an identity at its organization's provider when its owner has shown both the password and the second
-- factor: until the factor is shown, the identity waits with the sign-in step.
alter table sign_in_step add column issuer text, add column subject text,
  add constraint sign_in_step_identity check ((issuer is null) = (subject is null) and (issuer is null or account_id is not null));
