-- A deal is its author's to change, as a note is; it says how the call ended that made it, and can be pinned.
ALTER TABLE sale ADD author text NOT NULL DEFAULT '', ADD last_result_id int REFERENCES last_result (id), ADD sticky boolean NOT NULL DEFAULT false;
UPDATE sale s SET author = p.username FROM staff p WHERE p.client_id = s.client_id AND p.id = s.user_id;
