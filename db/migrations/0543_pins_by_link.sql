-- Where the company requires signing PINs, a listed person with an account enters theirs by link as well. Without the
-- right PIN, no signature by link is stored.
ALTER TABLE talk_attendee DROP CONSTRAINT talk_attendee_pin_check,
  ADD CONSTRAINT talk_attendee_pin_check CHECK (pin_check IS NULL OR (signed_at IS NOT NULL AND method = 'finger'
    AND strokes IS NOT NULL AND user_id IS NOT NULL AND CASE WHEN by_link THEN signer_id IS NULL AND pin_check = 'checked'
      ELSE signer_id IS NOT NULL AND signer_id <> user_id END));
