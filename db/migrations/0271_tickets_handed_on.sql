-- Tickets are handed on to a help desk where one is set up; those that are there already are the portal's own.
ALTER TABLE support_ticket
  ADD COLUMN desk text NOT NULL DEFAULT 'kept' CHECK (desk IN ('kept', 'waiting', 'handed on', 'refused')),
  ADD COLUMN desk_number text NOT NULL DEFAULT '', ADD COLUMN desk_error text NOT NULL DEFAULT '';
