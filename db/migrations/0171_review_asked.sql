-- Why the review of a revision in force was asked for: a sentence in a line, until it has been reviewed.
ALTER TABLE document ADD COLUMN review_asked text;
