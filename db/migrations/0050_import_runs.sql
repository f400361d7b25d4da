-- A file of leads is read, and taken back, by a run. One that was being read is taken up again by whoever looks first.
ALTER TABLE import_batch ADD COLUMN checksum text, ADD COLUMN run_id bigint, ADD FOREIGN KEY (client_id, run_id) REFERENCES run (client_id, id);
SET LOCAL ROLE stanchion_system;
INSERT INTO run (client_id, kind, state, back, input, place, begun, done, refused, undone, total, tally, lease, lease_until, user_id, author, error, created_at, finished_at)
  SELECT client_id, 'crm.import',
    CASE state WHEN 'running' THEN 'running' WHEN 'undoing' THEN 'undoing' WHEN 'failed' THEN 'failed' WHEN 'cancelled' THEN 'stopped'
      WHEN 'undone' THEN 'undone' ELSE 'done' END,
    state IN ('undoing', 'undone'), jsonb_build_object('batch', id, 'dryRun', dry_run),
    CASE WHEN state NOT IN ('undoing', 'undone') THEN to_jsonb(rows_read) END, true, rows_added, rows_refused, rows_removed, rows_total,
    jsonb_build_object('duplicate', rows_duplicate),
    CASE WHEN state IN ('running', 'undoing') THEN 'earlier' END, CASE WHEN state IN ('running', 'undoing') THEN now() END,
    coalesce((settings -> 'by' ->> 'userId')::bigint, 0), author, error, created_at, finished_at
  FROM import_batch WHERE state <> 'waiting' AND settings ? 'by';
UPDATE import_batch b SET run_id = r.id FROM run r WHERE r.client_id = b.client_id AND r.kind = 'crm.import' AND (r.input ->> 'batch')::bigint = b.id;
DELETE FROM outbox WHERE kind = 'crm.import' AND relayed_at IS NULL;
SET LOCAL ROLE NONE;
ALTER TABLE import_batch DROP COLUMN runner, DROP COLUMN beat_at;
