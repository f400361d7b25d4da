-- A company may require the signer's PIN beside a signature drawn on the presenter's device.
ALTER TABLE client ADD device_signatures text NOT NULL DEFAULT 'drawing' CHECK (device_signatures IN ('drawing', 'pin'));

-- Result of that check. Null for all other signatures, and for those of a company that requires no PIN.
ALTER TABLE talk_attendee ADD pin_check text CHECK (pin_check IN ('checked', 'wrong', 'none', 'unchecked')),
  ADD CONSTRAINT talk_attendee_pin_check CHECK (pin_check IS NULL OR (signed_at IS NOT NULL AND method = 'finger'
    AND strokes IS NOT NULL AND NOT by_link AND user_id IS NOT NULL AND signer_id IS NOT NULL AND signer_id <> user_id));
