-- What kinds of document say of themselves, and what stands with each document because of it.
ALTER TABLE document
  -- Who reads it while it is in force, beside those who approve: people with one of these roles; everybody, where none is named.
  ADD COLUMN audience text[] NOT NULL DEFAULT '{}',
  -- One revision is in force in a client, whatever its number.
  ADD COLUMN per_client boolean NOT NULL DEFAULT false,
  -- The revision that its words were begun from: of another client, where the provider has copied it.
  ADD COLUMN origin_id bigint;
DROP INDEX document_current;
CREATE UNIQUE INDEX document_current ON document (client_id, kind, (CASE WHEN per_client THEN '' ELSE number END)) WHERE current;
-- What a copy has said of it among its words: a draft says it in one place from now on, a sealed one keeps its words.
UPDATE document SET origin_id = substring(content->>'copyOf' FROM '/([0-9]{1,18})$')::bigint WHERE content->>'copyOf' ~ '/[0-9]{1,18}$';
UPDATE document SET content = content - 'copyOf' WHERE content ? 'copyOf' AND seal IS NULL;
CREATE INDEX document_origin ON document (client_id, origin_id) WHERE origin_id IS NOT NULL;

-- Where a sealed document came from stands with its words.
CREATE FUNCTION document_origin_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a sealed document keeps its origin' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER document_origin_stands BEFORE UPDATE ON document FOR EACH ROW
  WHEN (OLD.seal IS NOT NULL AND (OLD.is_template, OLD.per_client, OLD.origin_id) IS DISTINCT FROM (NEW.is_template, NEW.per_client, NEW.origin_id))
  EXECUTE FUNCTION document_origin_stands();

-- Who reads what is in a folder, as of documents. Until somebody opens it to all, those who write documents; the provider's are everybody's.
ALTER TABLE document_folder ADD COLUMN audience text[] NOT NULL DEFAULT '{ROLE_SAFETY_AUTHOR}';
UPDATE document_folder SET audience = '{}' WHERE client_id = 0;
