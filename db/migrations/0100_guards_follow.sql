-- What guards a document comes after its change. Before it, a guard may change the row, so that PostgreSQL works out every column that
-- follows from others again: the words that it is found by, and the files that it names, whenever a signature is counted.
DROP TRIGGER document_sealed ON document;
CREATE TRIGGER document_sealed AFTER UPDATE OF kind, number, revision, parent_id, title, industry_id, content, author, created_at, completed_at, completed_by, seal
  ON document FOR EACH ROW WHEN (OLD.seal IS NOT NULL) EXECUTE FUNCTION document_sealed();
CREATE TRIGGER document_kept BEFORE DELETE ON document FOR EACH ROW WHEN (OLD.seal IS NOT NULL) EXECUTE FUNCTION document_sealed();

DROP TRIGGER document_origin_stands ON document;
CREATE TRIGGER document_origin_stands AFTER UPDATE OF is_template, per_client, origin_id ON document FOR EACH ROW
  WHEN (OLD.seal IS NOT NULL AND (OLD.is_template, OLD.per_client, OLD.origin_id) IS DISTINCT FROM (NEW.is_template, NEW.per_client, NEW.origin_id))
  EXECUTE FUNCTION document_origin_stands();

DROP TRIGGER document_change_stands ON document;
CREATE TRIGGER document_change_stands AFTER UPDATE OF change ON document FOR EACH ROW
  WHEN (OLD.change IS DISTINCT FROM NEW.change) EXECUTE FUNCTION document_change_stands();

DROP TRIGGER document_form ON document;
CREATE TRIGGER document_form AFTER INSERT OR UPDATE OF form_id, form_digest ON document FOR EACH ROW EXECUTE FUNCTION document_form();

-- Follows from others as they do.
DROP TRIGGER document_waits ON document;
DROP FUNCTION document_waits();
DROP INDEX document_waits;
ALTER TABLE document DROP COLUMN waits_for_signatures,
  ADD COLUMN waits_for_signatures boolean NOT NULL GENERATED ALWAYS AS (current AND missing_count > 0) STORED;
CREATE INDEX document_waits ON document (client_id, kind, id DESC) WHERE waits_for_signatures;
