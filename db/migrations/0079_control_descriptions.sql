-- What the library said of a control when it was picked: on paper, "Infection control" alone tells nobody what to do.
ALTER TABLE risk_item ADD COLUMN control_description text NOT NULL DEFAULT '';
