-- Part of the source that an action concerns, and actions by the number of their source.
ALTER TABLE corrective_action ADD COLUMN source_part text NOT NULL DEFAULT '';
CREATE INDEX corrective_action_source_title ON corrective_action (client_id, source_title) WHERE source_title <> '';
