-- Documents whose search words have changed in this transaction. Saving an assessment writes the document and its rows in
-- many statements; its words are computed once, at the end. The table is empty outside transactions.
CREATE TABLE document_words_due (
  client_id int NOT NULL,
  document_id bigint NOT NULL,
  PRIMARY KEY (client_id, document_id)
);
SELECT tenant_table('document_words_due');

CREATE FUNCTION enter_due_document_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM document_words_due WHERE client_id = NEW.client_id AND document_id = NEW.document_id;
  PERFORM enter_document_words(NEW.client_id, ARRAY[NEW.document_id]);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER enter_due_document_words AFTER INSERT ON document_words_due DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION enter_due_document_words();

CREATE OR REPLACE FUNCTION document_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO document_words_due (client_id, document_id) SELECT client_id, id FROM changed ORDER BY client_id, id ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION document_row_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO document_words_due (client_id, document_id) SELECT DISTINCT client_id, document_id FROM changed ORDER BY client_id, document_id
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION document_words_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO document_words_due (client_id, document_id)
    SELECT n.client_id, n.id FROM changed n JOIN former o USING (client_id, id)
    WHERE (n.number, n.title, n.content, n.author, n.approved_by, n.decision_note) IS DISTINCT FROM (o.number, o.title, o.content, o.author, o.approved_by, o.decision_note)
    ORDER BY n.client_id, n.id
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
