-- What was changed during an impersonation, for the client's administrators: the number of changes, and what they concern.
ALTER TABLE visit ADD changes int NOT NULL DEFAULT 0, ADD changed text NOT NULL DEFAULT '', ADD counted_at timestamptz;
CREATE INDEX audit_impersonator ON audit (client_id, user_id, at) WHERE as_user_id IS NOT NULL;
