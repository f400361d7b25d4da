-- A card may be entered to pay once. It is kept, and charged again, only where whoever paid has asked for that.
ALTER TABLE card ADD COLUMN kept text NOT NULL DEFAULT 'yes' CHECK (kept IN ('yes', 'ifPaid', 'no')),
  ADD CONSTRAINT card_default_is_kept CHECK (kept = 'yes' OR NOT is_default);
CREATE INDEX card_entered ON card (client_id, id) WHERE kept <> 'yes' AND NOT retired;
