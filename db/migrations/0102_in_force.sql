-- What is in force, the newest first: without it, all that is in force of a client is read and sorted to show thirty.
CREATE INDEX document_in_force ON document (client_id, kind, id DESC) WHERE current AND NOT retired;
