-- Answers of a form that were entered together, by one press for all that was fine in a section: when, and to which questions.
ALTER TABLE custom_form_answer ADD COLUMN together jsonb NOT NULL DEFAULT '[]';
