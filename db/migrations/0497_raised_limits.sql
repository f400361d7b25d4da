-- A limit above which a second person decides is raised from the next day: what was raised, from when and by whom.
ALTER TABLE payment_settings ADD raised_limits jsonb NOT NULL DEFAULT '{}', ADD raised_from date, ADD raised_by text NOT NULL DEFAULT '';
ALTER TABLE quote_settings ADD raised_limits jsonb NOT NULL DEFAULT '{}', ADD raised_from date, ADD raised_by text NOT NULL DEFAULT '';
