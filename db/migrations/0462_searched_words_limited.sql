-- Words of documents are entered only up to the size that a text search vector can have, the most important ones first. The
-- names of the provider's own people and all usernames are left out.
CREATE OR REPLACE FUNCTION document_parts(of_client int, of_document bigint) RETURNS TABLE (weight text, field text, words text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p.weight, p.field, line FROM (
    SELECT 1 AS place, 0::bigint AS row, 'A' AS weight, 'number' AS field, d.number AS words FROM document d WHERE d.client_id = of_client AND d.id = of_document
    UNION ALL SELECT 2, 0, 'A', 'title', d.title FROM document d WHERE d.client_id = of_client AND d.id = of_document
    UNION ALL SELECT CASE WHEN e.key = 'hazard_name' THEN 3 ELSE 5 END, r.position, CASE WHEN e.key = 'hazard_name' THEN 'B' ELSE 'C' END, 'controls.' || e.key, e.value
      FROM risk_item r, jsonb_each_text(to_jsonb(r)) e WHERE r.client_id = of_client AND r.document_id = of_document AND NOT r.retired
        AND e.key IN ('hazard_name', 'group_name', 'description', 'control_name', 'control_description', 'persons', 'responsible', 'ppe_reason', 'residual_reason')
    UNION ALL SELECT CASE WHEN e.key = 'name' THEN 3 ELSE 5 END, r.position, CASE WHEN e.key = 'name' THEN 'B' ELSE 'C' END, 'substances.' || e.key, t.words
      FROM coshh_substance r, jsonb_each(to_jsonb(r)) e, texts_in(e.value) t WHERE r.client_id = of_client AND r.document_id = of_document
        AND e.key IN ('name', 'supplier', 'hazard_statements', 'precautions', 'signal_word', 'limits', 'notes', 'reason')
    UNION ALL SELECT 6, r.position, 'C', 'references.notes', r.notes FROM document_reference r WHERE r.client_id = of_client AND r.document_id = of_document
    UNION ALL SELECT 4, 0, 'C', CASE WHEN e.key = 'additional' THEN t.name ELSE e.key END, t.words
      FROM document d, jsonb_each(d.content) e, texts_in(e.value) t WHERE d.client_id = of_client AND d.id = of_document
        AND e.key NOT IN ('matrix', 'confirmed', 'unconfirmed', 'substanceNames', 'image', 'ppe', 'riskDocumentNumber', 'parentDocumentNumber', 'copiedFrom')
    UNION ALL SELECT 7, 0, 'C', 'decision_note', d.decision_note FROM document d WHERE d.client_id = of_client AND d.id = of_document
    UNION ALL SELECT 8, 0, 'D', 'people', u.name
      FROM document d JOIN user_account u ON u.client_id = d.client_id AND u.username IN (d.author, d.approved_by) WHERE d.client_id = of_client AND d.id = of_document AND d.client_id <> 0
  ) p, text_lines(p.words) line ORDER BY p.place, p.row, p.field $$;
CREATE OR REPLACE FUNCTION enter_document_words(of_client int, ids bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO document_words (client_id, document_id, words, fields, parts)
    SELECT of_client, id, coalesce(w.words, ''), coalesce(p.fields, '{}'), coalesce(p.parts, '{}')
    FROM (SELECT d.id FROM document d WHERE d.client_id = of_client AND d.id = ANY (ids)) i
    CROSS JOIN LATERAL (SELECT array_agg(field ORDER BY n) AS fields, array_agg(q.words ORDER BY n) AS parts, array_agg(weight ORDER BY n) AS weights
      FROM document_parts(of_client, i.id) WITH ORDINALITY q(weight, field, words, n)) p
    CROSS JOIN LATERAL (SELECT (string_agg(format('''%s'':%s', lexeme, places), ' ') FILTER (WHERE size < 900000))::tsvector AS words FROM (
      SELECT lexeme, string_agg(least(place, 16383) || weight, ',') AS places,
        sum(octet_length(lexeme) + 8 + 2 * count(*)) OVER (ORDER BY min(weight), min(place), lexeme) AS size FROM (
        SELECT DISTINCT x.lexeme, t.place, t.weight FROM unnest(p.fields, p.parts, p.weights) WITH ORDINALITY t(field, part, weight, place),
          -- A number is found with and without its zeros, and as one word.
          regexp_split_to_table(CASE WHEN t.field = 'number' THEN concat_ws(' ', plain_words(part), replace(plain_words(part), ' ', ''),
            regexp_replace(plain_words(part), '\m0+(?=\d)', '', 'g'), replace(regexp_replace(plain_words(part), '\m0+(?=\d)', '', 'g'), ' ', '')) ELSE plain_words(part) END, ' ') w(word),
          LATERAL (VALUES (left(w.word, 60)), (word_stem(w.word))) x(lexeme) WHERE w.word <> '') e
      GROUP BY lexeme) l) w
  ON CONFLICT (client_id, document_id) DO UPDATE SET words = excluded.words, fields = excluded.fields, parts = excluded.parts $$;

-- The part of a document that has most of the words that its number and title do not have: its label, and its text around the
-- first of them in pieces, those that were searched for marked. Of other companies' documents, whose opening is logged, only
-- the label: from the words that match, the text could be guessed.
CREATE OR REPLACE FUNCTION document_found(of_client int, of_document bigint, given text, reader int) RETURNS jsonb LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  stems text[];
  beginning text;
  part_field text;
  part text;
  pieces jsonb;
BEGIN
  SELECT array_agg(q.stem ORDER BY q.n), max(q.word) FILTER (WHERE q.start) INTO stems, beginning FROM searched_words(given) q;
  SELECT s.fields[h.place], s.parts[h.place] INTO part_field, part FROM document_words s, LATERAL (
    WITH hits AS (
      SELECT w.n, p.place, p.weight FROM unnest(s.words) l
        JOIN unnest(stems) WITH ORDINALITY w(stem, n) ON l.lexeme = w.stem OR w.n = cardinality(stems) AND starts_with(l.lexeme, beginning),
        unnest(l.positions, l.weights) p(place, weight))
    SELECT place FROM hits WHERE n NOT IN (SELECT n FROM hits WHERE weight = 'A') GROUP BY place ORDER BY count(DISTINCT n) DESC, place LIMIT 1) h
  WHERE s.client_id = of_client AND s.document_id = of_document;
  IF part IS NULL THEN RETURN NULL; END IF;
  WITH tokens AS MATERIALIZED (
    SELECT t[1] AS token, n, plain_words(t[1]) AS word
    FROM regexp_matches(left(part, 4000), '[[:alnum:]''’‘ʼ\u0300-\u036f]+|[^[:alnum:]''’‘ʼ\u0300-\u036f]+', 'g') WITH ORDINALITY m(t, n)),
  marked AS MATERIALIZED (
    SELECT token, n, word <> '' AND (word_stem(word) = ANY (stems) OR starts_with(word, beginning)) IS TRUE AS hit FROM tokens),
  edges AS (SELECT coalesce(min(n) FILTER (WHERE hit), 1) - 5 AS low, coalesce(min(n) FILTER (WHERE hit), 1) + 40 AS high, max(n) AS last FROM marked),
  shown AS (
    SELECT n, hit, n - row_number() OVER (PARTITION BY hit ORDER BY n) AS run,
      CASE WHEN n = low AND n > 1 THEN '… ' ELSE '' END || left(token, 200) || CASE WHEN n = high AND n < last THEN ' …' ELSE '' END AS token
    FROM marked, edges WHERE n BETWEEN low AND high AND of_client IN (0, reader))
  SELECT jsonb_agg(jsonb_build_object('text', r.text, 'found', r.hit) ORDER BY r.n) INTO pieces
  FROM (SELECT min(n) AS n, hit, string_agg(token, '' ORDER BY n) AS text FROM shown GROUP BY hit, run) r;
  RETURN jsonb_build_object('label', document_part_label(of_client, of_document, part_field), 'pieces', coalesce(pieces, '[]'));
END $$;

SELECT enter_document_words(client_id, array_agg(id)) FROM document GROUP BY client_id;
