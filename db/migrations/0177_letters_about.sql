-- The record that a letter is about, as the API names it (/api/financial/quotes/12): what became of its letters is told beside it.
ALTER TABLE message ADD COLUMN about text NOT NULL DEFAULT '';
CREATE INDEX message_about ON message (client_id, about, id) WHERE about <> '';
