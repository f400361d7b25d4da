-- Usernames of the people who changed a sale's figures since its last check. They leave the check to somebody else.
ALTER TABLE counted_sale ADD changed_by text[] NOT NULL DEFAULT '{}';
