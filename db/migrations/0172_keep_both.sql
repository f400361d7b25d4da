-- It was made under the name of another one, and both are meant to be there.
ALTER TABLE hazard ADD COLUMN keep_both boolean NOT NULL DEFAULT false;
ALTER TABLE hazard_control ADD COLUMN keep_both boolean NOT NULL DEFAULT false;
ALTER TABLE ppe ADD COLUMN keep_both boolean NOT NULL DEFAULT false;
ALTER TABLE substance ADD COLUMN keep_both boolean NOT NULL DEFAULT false;
ALTER TABLE policy_arrangement ADD COLUMN keep_both boolean NOT NULL DEFAULT false;
