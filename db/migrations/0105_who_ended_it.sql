-- Who withdrew, rejected or deleted a revision, and when; who said by when it is to be reviewed, and when. It was in the chain and the
-- audit alone, and there it stays of what was done before.
ALTER TABLE document
  ADD COLUMN ended_by text,
  ADD COLUMN ended_at timestamptz,
  ADD COLUMN review_set_by text,
  ADD COLUMN review_set_at timestamptz,
  ADD CONSTRAINT document_ended CHECK ((ended_by IS NULL) = (ended_at IS NULL) AND (ended_by IS NULL OR retired)),
  ADD CONSTRAINT document_review_set CHECK ((review_set_by IS NULL) = (review_set_at IS NULL));
