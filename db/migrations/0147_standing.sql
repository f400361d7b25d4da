-- A rejected document is put away, but not deleted: whoever writes looks for it as for any other. What lists are narrowed by, what a
-- file says of it, and when it was decided.
ALTER TABLE document
  ADD COLUMN deleted boolean NOT NULL GENERATED ALWAYS AS (retired AND state <> 'rejected') STORED,
  ADD COLUMN standing text NOT NULL GENERATED ALWAYS AS (CASE WHEN NOT retired OR state = 'rejected' THEN state
    WHEN state = 'current' THEN 'withdrawn' ELSE 'retired' END) STORED,
  ADD COLUMN decided_at timestamptz GENERATED ALWAYS AS (CASE WHEN state = 'rejected' THEN ended_at ELSE approved_at END) STORED;
CREATE INDEX document_decided ON document (client_id, kind, decided_at, id);
-- Views that people keep ask for what is deleted by its own name.
SET LOCAL ROLE stanchion_system;
UPDATE saved_view SET query = regexp_replace(query, '(^|[?&])retired=', '\1deleted=')
WHERE list IN ('safety/risk_assessments', 'safety/toolbox_talks') AND query ~ '(^|[?&])retired=';
SET LOCAL ROLE NONE;
