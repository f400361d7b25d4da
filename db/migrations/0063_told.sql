-- Who has been told of an event, of how many: once all have, what it says leaves the outbox.
ALTER TABLE outbox ADD COLUMN listeners int, ADD COLUMN told text[] NOT NULL DEFAULT '{}';
