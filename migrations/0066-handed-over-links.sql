-- Without a mail server whoever invites hands the link over. It shows nothing of whose mailbox the address is.
alter table invitation add column handed_hash bytea;  -- SHA-256 of the token that the inviter got, also one of token_hashes
