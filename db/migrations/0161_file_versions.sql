-- A file is replaced by another one under the same entry. Each version is a row of its own, and what refers to one refers to its exact bytes;
-- the newest is what lists show. And a file may have a day on which it expires, of which its keeper is reminded.
ALTER TABLE uploaded_document
  -- The first version's id, the same for all of them.
  ADD COLUMN entry bigint, ADD COLUMN version int NOT NULL DEFAULT 1, ADD COLUMN replaces_id bigint,
  ADD COLUMN replaced boolean NOT NULL DEFAULT false,
  -- The earlier version that was made the newest again, by its number.
  ADD COLUMN restored_from int,
  -- Who brought the first version; `user_id` is theirs in all of them.
  ADD COLUMN keeper text,
  ADD COLUMN expires date, ADD COLUMN remind_days int NOT NULL DEFAULT 30 CHECK (remind_days BETWEEN 0 AND 365),
  ADD FOREIGN KEY (client_id, replaces_id) REFERENCES uploaded_document (client_id, id);
SET LOCAL ROLE stanchion_system;
UPDATE uploaded_document SET entry = id, keeper = author;
SET LOCAL ROLE NONE;
ALTER TABLE uploaded_document ALTER COLUMN entry SET NOT NULL, ALTER COLUMN keeper SET NOT NULL;
CREATE UNIQUE INDEX uploaded_document_version ON uploaded_document (client_id, entry, version);
CREATE UNIQUE INDEX uploaded_document_newest ON uploaded_document (client_id, entry) WHERE NOT replaced;
CREATE INDEX uploaded_document_replaces ON uploaded_document (client_id, replaces_id) WHERE replaces_id IS NOT NULL;
CREATE INDEX uploaded_document_expires ON uploaded_document (client_id, expires) WHERE expires IS NOT NULL AND NOT replaced AND NOT retired;

CREATE FUNCTION uploaded_document_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.entry := coalesce(NEW.entry, NEW.id);
  NEW.keeper := coalesce(NEW.keeper, NEW.author);
  RETURN NEW;
END $$;
CREATE TRIGGER uploaded_document_begins BEFORE INSERT ON uploaded_document FOR EACH ROW EXECUTE FUNCTION uploaded_document_begins();

-- What a version is stands, and an earlier one is never the newest again: what is restored becomes a version more.
CREATE FUNCTION uploaded_document_versioned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a file stands as it is' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER uploaded_document_versioned BEFORE UPDATE ON uploaded_document FOR EACH ROW
  WHEN ((OLD.entry, OLD.version, OLD.replaces_id, OLD.restored_from) IS DISTINCT FROM (NEW.entry, NEW.version, NEW.replaces_id, NEW.restored_from)
    OR (OLD.replaced AND (NOT NEW.replaced OR NEW.retired
      OR (OLD.name, OLD.type, OLD.size, OLD.checksum, OLD.file_key, OLD.view_key) IS DISTINCT FROM (NEW.name, NEW.type, NEW.size, NEW.checksum, NEW.file_key, NEW.view_key))))
  EXECUTE FUNCTION uploaded_document_versioned();

-- Who reads a folder reads all versions of what is in it, and nobody an earlier one of what has left it.
CREATE FUNCTION uploaded_document_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE uploaded_document SET folder_id = NEW.folder_id WHERE client_id = NEW.client_id AND entry = NEW.entry AND replaced;
  RETURN NULL;
END $$;
CREATE TRIGGER uploaded_document_moves AFTER UPDATE OF folder_id ON uploaded_document FOR EACH ROW
  WHEN (NOT NEW.replaced AND NEW.folder_id IS DISTINCT FROM OLD.folder_id) EXECUTE FUNCTION uploaded_document_moves();

-- The reminder is over once the day is another one, or nobody need think of the file any more.
SELECT notices_end('file.expires', 'uploaded_document', $$OLD.expires IS NOT NULL
  AND (NEW.expires IS DISTINCT FROM OLD.expires OR (NEW.retired AND NOT OLD.retired) OR (NEW.replaced AND NOT OLD.replaced))$$);
