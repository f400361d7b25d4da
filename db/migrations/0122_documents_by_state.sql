-- How many documents wait for approval, without looking at all that there are.
CREATE INDEX document_state ON document (client_id, state, kind) INCLUDE (missing_count) WHERE NOT retired;
