-- Documents are found too by what is said of the work: the fields within `content` that declare `search`.
ALTER TABLE document DROP COLUMN search_text;
ALTER TABLE document ADD COLUMN search_text text GENERATED ALWAYS AS (lower(
  number || ' ' || title || ' ' || author || ' ' || coalesce(content->>'project', '') || ' ' || coalesce(content->>'location', '')
  || ' ' || coalesce(content->>'jobNumber', '') || ' ' || coalesce(content->>'internalJobReference', '')
  || ' ' || coalesce(content->>'mainContractor', ''))) STORED;
CREATE INDEX document_search ON document USING gin (client_id, search_text gin_trgm_ops);
-- What lists are put in the order of: without these, each of a client's documents would be unpacked for it.
CREATE INDEX document_project ON document (client_id, kind, (content->>'project'), id);
CREATE INDEX document_location ON document (client_id, kind, (content->>'location'), id);
CREATE INDEX document_job ON document (client_id, kind, (content->>'jobNumber'), id);
