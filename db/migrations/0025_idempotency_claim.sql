-- Which request holds a key: only that one may keep its answer, in the transaction that does what it asked for.
ALTER TABLE idempotency ADD COLUMN request_id text NOT NULL DEFAULT '';
