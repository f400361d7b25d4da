-- COSHH assessments are found by their substances too.
ALTER TABLE document DROP COLUMN search_text;
ALTER TABLE document ADD COLUMN search_text text GENERATED ALWAYS AS (lower(
  number || ' ' || title || ' ' || author || ' ' || coalesce(content->>'project', '') || ' ' || coalesce(content->>'location', '')
  || ' ' || coalesce(content->>'jobNumber', '') || ' ' || coalesce(content->>'internalJobReference', '')
  || ' ' || coalesce(content->>'mainContractor', '') || ' ' || coalesce(content->>'substanceNames', ''))) STORED;
CREATE INDEX document_search ON document USING gin (search_text gin_trgm_ops, client_id);
