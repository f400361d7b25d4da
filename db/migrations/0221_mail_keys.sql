-- Letters lead to the letters that they answer or repeat; those under way are found within their client.
ALTER TABLE message
  ADD FOREIGN KEY (client_id, answer_to) REFERENCES message (client_id, id),
  ADD FOREIGN KEY (client_id, resend_of) REFERENCES message (client_id, id);
CREATE INDEX message_answers ON message (client_id, answer_to) WHERE answer_to IS NOT NULL;
CREATE INDEX message_resends ON message (client_id, resend_of) WHERE resend_of IS NOT NULL;
DROP INDEX message_under_way;
CREATE INDEX message_under_way ON message (client_id, tried_at) WHERE state IN ('waiting', 'sending');
DROP INDEX message_run;
