-- The batch that makes customers of clients is a run, under the numbers that it had. One that was under way can be gone on with.
ALTER TABLE run ADD COLUMN seen int NOT NULL GENERATED ALWAYS AS (done + refused) STORED;
ALTER TABLE run_refusal ADD COLUMN about text NOT NULL DEFAULT '';

INSERT INTO run (client_id, id, kind, state, input, place, begun, done, refused, total, user_id, author, error, created_at, started_at, finished_at)
  SELECT client_id, id, 'billing.customer-batch',
    CASE state WHEN 'finished' THEN 'done' WHEN 'failed' THEN 'failed' ELSE 'stopped' END,
    jsonb_build_object('dryRun', dry_run), to_jsonb(last_client), clients_total IS NOT NULL, created, refused, clients_total,
    coalesce(user_id, 0), author, error, created_at, created_at, finished_at
  FROM customer_batch;
SELECT setval(pg_get_serial_sequence('run', 'id'), greatest(1, (SELECT max(id) FROM run)));
INSERT INTO run_refusal (client_id, id, run_id, line, about, reason)
  SELECT client_id, id, batch_id, client, company, message FROM customer_batch_line;
SELECT setval(pg_get_serial_sequence('run_refusal', 'id'), greatest(1, (SELECT max(id) FROM run_refusal)));
DELETE FROM outbox WHERE kind = 'billing.customer batch' AND relayed_at IS NULL;
DROP TABLE customer_batch_line, customer_batch;
