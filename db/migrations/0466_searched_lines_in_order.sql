-- The lines of a document are entered in the search in their order, so that of a very large one its first words are found.
CREATE OR REPLACE FUNCTION document_parts(of_client int, of_document bigint) RETURNS TABLE (weight text, field text, words text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p.weight, p.field, line FROM (
    SELECT 1 AS place, 0::bigint AS row, 'A' AS weight, 'number' AS field, d.number AS words FROM document d WHERE d.client_id = of_client AND d.id = of_document
    UNION ALL SELECT 2, 0, 'A', 'title', d.title FROM document d WHERE d.client_id = of_client AND d.id = of_document
    UNION ALL SELECT CASE WHEN e.key = 'hazard_name' THEN 3 ELSE 5 END, r.position, CASE WHEN e.key = 'hazard_name' THEN 'B' ELSE 'C' END, 'controls.' || e.key, e.value
      FROM risk_item r, jsonb_each_text(to_jsonb(r)) e WHERE r.client_id = of_client AND r.document_id = of_document AND NOT r.retired
        AND e.key IN ('hazard_name', 'group_name', 'description', 'control_name', 'control_description', 'persons', 'responsible', 'ppe_reason', 'residual_reason')
    UNION ALL SELECT CASE WHEN e.key = 'name' THEN 3 ELSE 5 END, r.position, CASE WHEN e.key = 'name' THEN 'B' ELSE 'C' END, 'substances.' || e.key, t.words
      FROM coshh_substance r, jsonb_each(to_jsonb(r)) e, texts_in(e.value) t WHERE r.client_id = of_client AND r.document_id = of_document
        AND (e.key IN ('name', 'supplier', 'cas_numbers', 'hazard_statements', 'precautions', 'signal_word', 'limits', 'notes', 'reason') OR e.key ~ '^(first_aid|ppe)_')
    UNION ALL SELECT 6, r.position, 'C', 'references.notes', r.notes FROM document_reference r WHERE r.client_id = of_client AND r.document_id = of_document
    UNION ALL SELECT 4, 0, 'C', CASE WHEN e.key = 'additional' THEN t.name ELSE e.key END, t.words
      FROM document d, jsonb_each(d.content) e, texts_in(e.value) t WHERE d.client_id = of_client AND d.id = of_document
        AND e.key NOT IN ('matrix', 'confirmed', 'unconfirmed', 'substanceNames', 'image', 'ppe', 'riskDocumentNumber', 'parentDocumentNumber', 'copiedFrom')
    UNION ALL SELECT 7, 0, 'C', 'decision_note', d.decision_note FROM document d WHERE d.client_id = of_client AND d.id = of_document
    UNION ALL SELECT 8, 0, 'D', 'people', u.name
      FROM document d JOIN user_account u ON u.client_id = d.client_id AND u.username IN (d.author, d.approved_by) WHERE d.client_id = of_client AND d.id = of_document AND d.client_id <> 0
  ) p, text_lines(p.words) WITH ORDINALITY l(line, nth) ORDER BY p.place, p.row, p.field, l.nth $$;
