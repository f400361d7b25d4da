-- The import of the register of companies is a run. One that was interrupted is gone on with by the same command.
INSERT INTO run (client_id, kind, state, foreground, input, place, begun, done, refused, tally, author, created_at, started_at, finished_at)
  SELECT 0, 'companies.import', CASE WHEN finished_at IS NULL THEN 'stopped' ELSE 'done' END, true,
    jsonb_build_object('fingerprint', fingerprint, 'path', file_name, 'portion', 2000),
    CASE WHEN next_byte > 0 THEN jsonb_build_object('byte', next_byte, 'line', next_line) END, true,
    rows_read - rows_refused, rows_refused,
    jsonb_build_object('added', rows_added, 'changed', rows_changed, 'unchanged', rows_unchanged),
    'command line', started_at, started_at, coalesce(finished_at, portal_now())
  FROM company_import WHERE EXISTS (SELECT 1 FROM client WHERE id = 0) ORDER BY started_at;
INSERT INTO run_refusal (client_id, run_id, line, reason)
  SELECT 0, r.id, (f.row ->> 'line')::int, f.row ->> 'reason'
  FROM company_import i JOIN run r ON r.client_id = 0 AND r.kind = 'companies.import' AND r.input ->> 'fingerprint' = i.fingerprint
    CROSS JOIN LATERAL jsonb_array_elements(i.refusals) WITH ORDINALITY f(row, nth)
  ORDER BY r.id, f.nth;
DROP TABLE company_import;
