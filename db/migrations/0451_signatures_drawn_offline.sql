-- When a person signed, by the clock of the device, if the signature was sent later than it was drawn.
ALTER TABLE talk_attendee ADD drawn_at timestamptz CHECK (drawn_at <= signed_at);
