-- Callers of this client see their own leads and those that nobody has: a choice of its leads administrators.
ALTER TABLE client ADD COLUMN own_leads boolean NOT NULL DEFAULT false;
