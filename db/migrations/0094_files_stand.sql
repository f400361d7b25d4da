-- Where an uploaded file is used: the documents that refer to it, or name it in their words. Ids are unique over clients.
CREATE FUNCTION documents_with_file(file bigint) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$
  SELECT r.document_id FROM document_reference r WHERE r.file_id = file
  UNION ALL SELECT d.id FROM document d WHERE d.files <> '{}' AND d.files @> ARRAY[file] $$;

-- A file that a sealed document uses stands with it: what it is called for sorting may change, what it is may not.
CREATE FUNCTION uploaded_document_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM document d WHERE d.seal IS NOT NULL AND d.id IN (SELECT used FROM documents_with_file(OLD.id) used)) THEN
    RAISE EXCEPTION 'a file that a sealed document uses stands with it' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER uploaded_document_stands BEFORE UPDATE ON uploaded_document FOR EACH ROW
  WHEN ((OLD.client_id, OLD.id, OLD.name, OLD.type, OLD.size, OLD.checksum, OLD.file_key, OLD.view_key)
      IS DISTINCT FROM (NEW.client_id, NEW.id, NEW.name, NEW.type, NEW.size, NEW.checksum, NEW.file_key, NEW.view_key)
    OR (NEW.retired AND NOT OLD.retired))
  EXECUTE FUNCTION uploaded_document_stands();
CREATE TRIGGER uploaded_document_kept BEFORE DELETE ON uploaded_document FOR EACH ROW EXECUTE FUNCTION uploaded_document_stands();
