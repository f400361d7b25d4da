-- The log of confidential reads is a small part of `audit`: by time, record, kind of reader and username.
CREATE INDEX audit_look ON audit (client_id, at, id) WHERE verb = 'look';
CREATE INDEX audit_look_row ON audit (client_id, type, row_id, at, id) WHERE verb = 'look';
CREATE INDEX audit_look_reader ON audit (client_id, (changes->>'readBy'), at, id) WHERE verb = 'look';
CREATE INDEX audit_look_username ON audit USING gin (client_id, search_form(username) gin_trgm_ops) WHERE verb = 'look';
