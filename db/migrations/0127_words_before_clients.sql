-- An index of words goes through the rows of its first column and looks up the others there. With the client first, a word that few have was looked
-- for along all rows of a client, as often as parts of it were found; with the words first, the client is asked for once a row has them.
DROP INDEX contact_search_text;
CREATE INDEX contact_search_text ON contact_search USING gin (company_name gin_trgm_ops, search_text gin_trgm_ops, client_id);
DROP INDEX document_search;
CREATE INDEX document_search ON document USING gin (search_text gin_trgm_ops, client_id);
DROP INDEX customer_search;
CREATE INDEX customer_search ON customer USING gin (search_text gin_trgm_ops, client_id);
DROP INDEX quote_search;
CREATE INDEX quote_search ON quote USING gin (search_text gin_trgm_ops, client_id);
DROP INDEX talk_presented_search;
CREATE INDEX talk_presented_search ON talk_presented USING gin (search_text gin_trgm_ops, client_id);
DROP INDEX uploaded_document_search;
CREATE INDEX uploaded_document_search ON uploaded_document USING gin (search_text gin_trgm_ops, client_id);
DROP INDEX contact_person_search;
CREATE INDEX contact_person_search ON contact_person USING gin (search_text gin_trgm_ops, client_id);
