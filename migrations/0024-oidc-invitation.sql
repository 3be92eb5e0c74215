-- An invitation is accepted by the organization's provider too: which one goes along to there and back.
alter table oidc_attempt add column invitation_hash bytea; -- SHA-256 of the token behind the '#' of the mail's link
