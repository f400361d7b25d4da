-- Answers are about the same record as the e-mail that they answer, so that the same people read them.
UPDATE message a SET about = m.about, confidential = m.confidential FROM message m
  WHERE a.incoming AND m.client_id = a.client_id AND m.id = a.answer_to AND (m.about <> '' OR m.confidential);
