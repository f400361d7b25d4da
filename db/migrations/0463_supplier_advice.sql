-- Substances have CAS numbers, first aid measures and PPE of their own, as their data sheets state them. Those of an assessment
-- are found by them as well.
ALTER TABLE substance ADD cas_numbers text[] NOT NULL DEFAULT '{}',
  ADD first_aid_inhalation text NOT NULL DEFAULT '',
  ADD first_aid_skin text NOT NULL DEFAULT '',
  ADD first_aid_eyes text NOT NULL DEFAULT '',
  ADD first_aid_ingestion text NOT NULL DEFAULT '',
  ADD ppe_hands text NOT NULL DEFAULT '',
  ADD ppe_eyes text NOT NULL DEFAULT '',
  ADD ppe_breathing text NOT NULL DEFAULT '',
  ADD ppe_body text NOT NULL DEFAULT '';
ALTER TABLE coshh_substance ADD cas_numbers text[] NOT NULL DEFAULT '{}',
  ADD first_aid_inhalation text NOT NULL DEFAULT '',
  ADD first_aid_skin text NOT NULL DEFAULT '',
  ADD first_aid_eyes text NOT NULL DEFAULT '',
  ADD first_aid_ingestion text NOT NULL DEFAULT '',
  ADD ppe_hands text NOT NULL DEFAULT '',
  ADD ppe_eyes text NOT NULL DEFAULT '',
  ADD ppe_breathing text NOT NULL DEFAULT '',
  ADD ppe_body text NOT NULL DEFAULT '';
-- With their hyphens and without, because a search for digits leaves hyphens out, as in telephone numbers.
CREATE FUNCTION cas_words(given text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_string(given, ' ') || ' ' || regexp_replace(array_to_string(given, ' '), '(?<=\d)-(?=\d)', '', 'g') $$;
ALTER TABLE substance DROP COLUMN search_text;
ALTER TABLE substance ADD search_text text GENERATED ALWAYS AS (lower(name || ' ' || supplier || ' ' || cas_words(cas_numbers))) STORED;
CREATE INDEX substance_search ON substance USING gin (search_text gin_trgm_ops, client_id);
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
  ) p, text_lines(p.words) line ORDER BY p.place, p.row, p.field $$;
-- What people call a part of a document: the label in its form, or of its row.
CREATE OR REPLACE FUNCTION document_part_label(of_client int, of_document bigint, part text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(CASE part WHEN 'number' THEN 'Number' WHEN 'title' THEN 'Title' WHEN 'people' THEN 'Author or approver' WHEN 'decision_note' THEN 'Reason'
      WHEN 'controls.hazard_name' THEN 'Hazard' WHEN 'controls.control_name' THEN 'Control' WHEN 'controls.group_name' THEN 'Group' WHEN 'controls.persons' THEN 'Who might be harmed'
      WHEN 'substances.name' THEN 'Substance' WHEN 'substances.cas_numbers' THEN 'CAS number' WHEN 'references.notes' THEN 'Note on a reference' WHEN 'unplaced' THEN 'Answer without a field'
      WHEN 'methodStatement' THEN 'Method statement' WHEN 'ppeItems' THEN 'Protective equipment' WHEN 'worn' THEN 'Protective equipment' END,
    (SELECT jsonb_path_query_first(f.schema, '$.steps[*].groups[*].fields[*] ? (@.name == $name).label', jsonb_build_object('name', part)) #>> '{}'
     FROM document d JOIN form_version f ON f.client_id IN (d.client_id, 0) AND (f.id = d.form_id OR d.form_id IS NULL AND f.kind = d.kind AND f.declared)
     WHERE d.client_id = of_client AND d.id = of_document ORDER BY f.id DESC LIMIT 1),
    (SELECT upper(left(w, 1)) || substr(w, 2) FROM (SELECT replace(lower(regexp_replace(split_part('.' || part, '.', -1), '([A-Z])', ' \1', 'g')), '_', ' ') AS w) l)) $$;
