-- The company whose people answered a request with a pack of their own; empty where somebody sent a file by the link.
ALTER TABLE rams_received ADD COLUMN company text NOT NULL DEFAULT '';
