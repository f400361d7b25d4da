-- What a company prints on every paper besides: a line at the head and one at the foot; client 0's for whoever has none. And what its logo is printed on.
ALTER TABLE letterhead
  ADD COLUMN header text,
  ADD COLUMN footer text,
  ADD COLUMN logo_ground text NOT NULL DEFAULT 'white' CHECK (logo_ground IN ('white', 'dark')),
  ADD COLUMN updated_by text NOT NULL DEFAULT '';
