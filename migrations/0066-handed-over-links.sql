-- Without a mail server the inviter hands the link over, so the link does not prove who reads the mail of that address.
alter table invitation add column handed_hash bytea;  -- SHA-256 of the token that the inviter got, also one of token_hashes
