-- A link belongs to the person to whom it was sent, not only to their address. Empty: sent before names were stored.
ALTER TABLE corrective_action_link ADD name text NOT NULL DEFAULT '';
