-- A check names the version of the sale that was read, so that it never covers figures that were changed meanwhile.
ALTER TABLE counted_sale ADD COLUMN version int NOT NULL DEFAULT 1;
