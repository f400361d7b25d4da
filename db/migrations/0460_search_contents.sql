-- Documents are found by their contents: title, number, rows, answers and people. The words stand beside the document, so
-- that a signature or a review date enters none of them in the index again.

-- Words without stop words, because a number or a short word can be all that somebody knows.
CREATE TEXT SEARCH DICTIONARY english_words (TEMPLATE = snowball, Language = english);

-- Lower case without accents and apostrophes; everything else that is no letter or digit parts two words.
CREATE FUNCTION plain_words(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(translate(regexp_replace(
    replace(lower(CASE WHEN given ~ '^[ -~]*$' THEN given ELSE normalize(given, NFKD) END), 'ß', 'ss'),
    '[''’‘ʼ`´\u0300-\u036f]+', '', 'g'), 'øłđıæœ', 'oldiao'), '[^[:alnum:]]+', ' ', 'g')) $$;

-- The stem of a plain word; of a word that is too long for an index, its beginning.
CREATE FUNCTION word_stem(word text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((ts_lexize('english_words', left(word, 60)))[1], left(word, 60)) $$;

-- The words that are looked for. `start`: the last one may still be unfinished.
CREATE FUNCTION searched_words(given text) RETURNS TABLE (n bigint, word text, stem text, start boolean) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT n, left(w, 60), word_stem(w), length(w) > 1 AND n = count(*) OVER ()
  FROM regexp_split_to_table(plain_words(given), ' ') WITH ORDINALITY s(w, n) WHERE w <> '' $$;

-- `every`: each word must occur. Without it, any word, which is what the order of the results is calculated with. Signs alone find
-- nothing.
CREATE FUNCTION words_query(given text, every boolean) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(CASE WHEN start THEN format('(''%s'' | ''%s'':*)', stem, word) ELSE format('''%s''', stem) END,
    CASE WHEN every THEN ' & ' ELSE ' | ' END ORDER BY n), '''-''')::tsquery FROM searched_words(given) $$;

-- `words`: the stems and the words themselves; the position of each is that of its part. A: number and title, B: hazards and
-- substances, C: everything else that was written, D: people of the portal.
CREATE TABLE document_words (
  client_id int NOT NULL, document_id bigint NOT NULL,
  words tsvector NOT NULL, fields text[] NOT NULL, parts text[] NOT NULL,
  PRIMARY KEY (client_id, document_id),
  FOREIGN KEY (client_id, document_id) REFERENCES document (client_id, id) ON DELETE CASCADE);
SELECT tenant_table('document_words', true);

-- The lines of a text; of formatted text, its paragraphs and list items.
CREATE FUNCTION text_lines(given text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT line FROM regexp_split_to_table(
    CASE WHEN given ~* '^\s*<[a-z]' THEN
      replace(replace(replace(replace(replace(replace(regexp_replace(regexp_replace(given, '<br */?>|</(p|li|h[1-6]|tr|div|blockquote|ul|ol)>', E'\n', 'gi'),
        '<[^>]*>', '', 'g'), '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&')
    ELSE given END, '[\r\n]+') l(line) WHERE line ~ '[[:alnum:]]' $$;

-- All texts within a value, by the name under which each of them stands. Addresses of records, pictures, dates and times are
-- no text.
CREATE FUNCTION texts_in(given jsonb) RETURNS TABLE (name text, words text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT f.name, f.v FROM (
    SELECT '' AS name, given #>> '{}' AS v WHERE jsonb_typeof(given) = 'string'
    UNION ALL SELECT '', s #>> '{}' FROM jsonb_path_query(given, 'strict $.** ? (@.type() == "array")[*] ? (@.type() == "string")') s
    UNION ALL SELECT o ->> 'key', o ->> 'value' FROM jsonb_path_query(given, 'strict $.** ? (@.type() == "object").keyvalue() ? (@.value.type() == "string")') o) f
  WHERE f.name !~ '^@' AND f.name NOT IN ('image', 'iso7010', 'kind')
    AND f.v <> '' AND f.v !~ '^(/[a-z]|data:|\d{4}-\d\d-\d\d)' $$;

-- The texts of a document. What is left out: settings sealed with it, marks of confirmation, codes, and what the portal derived.
CREATE FUNCTION document_parts(of_client int, of_document bigint) RETURNS TABLE (weight text, field text, words text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
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
    UNION ALL SELECT 8, 0, 'D', 'people', concat_ws(' ', u.name, u.username)
      FROM document d JOIN user_account u ON u.client_id = d.client_id AND u.username IN (d.author, d.approved_by) WHERE d.client_id = of_client AND d.id = of_document
  ) p, text_lines(p.words) line ORDER BY p.place, p.row, p.field $$;

-- Enters the words of documents anew.
CREATE FUNCTION enter_document_words(of_client int, ids bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO document_words (client_id, document_id, words, fields, parts)
    SELECT of_client, id, coalesce(w.words, ''), coalesce(p.fields, '{}'), coalesce(p.parts, '{}')
    FROM (SELECT d.id FROM document d WHERE d.client_id = of_client AND d.id = ANY (ids)) i
    CROSS JOIN LATERAL (SELECT array_agg(field ORDER BY n) AS fields, array_agg(q.words ORDER BY n) AS parts, array_agg(weight ORDER BY n) AS weights
      FROM document_parts(of_client, i.id) WITH ORDINALITY q(weight, field, words, n)) p
    CROSS JOIN LATERAL (SELECT string_agg(format('''%s'':%s', lexeme, places), ' ')::tsvector AS words FROM (
      SELECT lexeme, string_agg(least(place, 16383) || weight, ',') AS places FROM (
        SELECT DISTINCT x.lexeme, t.place, t.weight FROM unnest(p.fields, p.parts, p.weights) WITH ORDINALITY t(field, part, weight, place),
          -- A number is found with and without its zeros, and as one word.
          regexp_split_to_table(CASE WHEN t.field = 'number' THEN concat_ws(' ', plain_words(part), replace(plain_words(part), ' ', ''),
            regexp_replace(plain_words(part), '\m0+(?=\d)', '', 'g'), replace(regexp_replace(plain_words(part), '\m0+(?=\d)', '', 'g'), ' ', '')) ELSE plain_words(part) END, ' ') w(word),
          LATERAL (VALUES (left(w.word, 60)), (word_stem(w.word))) x(lexeme) WHERE w.word <> '') e
      GROUP BY lexeme) l) w
  ON CONFLICT (client_id, document_id) DO UPDATE SET words = excluded.words, fields = excluded.fields, parts = excluded.parts $$;

CREATE FUNCTION document_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM enter_document_words(c.client_id, c.ids) FROM (SELECT client_id, array_agg(DISTINCT id) AS ids FROM changed GROUP BY client_id) c;
  RETURN NULL;
END $$;
CREATE FUNCTION document_row_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM enter_document_words(c.client_id, c.ids) FROM (SELECT client_id, array_agg(DISTINCT document_id) AS ids FROM changed GROUP BY client_id) c;
  RETURN NULL;
END $$;
CREATE FUNCTION document_words_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM enter_document_words(c.client_id, c.ids) FROM (
    SELECT n.client_id, array_agg(n.id) AS ids FROM changed n JOIN former o USING (client_id, id)
    WHERE (n.number, n.title, n.content, n.author, n.approved_by, n.decision_note) IS DISTINCT FROM (o.number, o.title, o.content, o.author, o.approved_by, o.decision_note)
    GROUP BY n.client_id) c;
  RETURN NULL;
END $$;
CREATE TRIGGER document_words_added AFTER INSERT ON document REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION document_words_changed();
CREATE TRIGGER document_words_updated AFTER UPDATE ON document REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION document_words_updated();

-- For the tables of rows that belong to a document, beside document_rows_sealed().
CREATE FUNCTION searched_rows(rows regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER words_added AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION document_row_words_changed()', rows);
  EXECUTE format('CREATE TRIGGER words_changed AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION document_row_words_changed()', rows);
  EXECUTE format('CREATE TRIGGER words_removed AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION document_row_words_changed()', rows);
END $$;
SELECT searched_rows('risk_item'), searched_rows('coshh_substance'), searched_rows('document_reference');

-- Documents are found by the present names of their people.
CREATE FUNCTION document_people_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM enter_document_words(NEW.client_id, array_agg(d.id)) FROM document d
    WHERE d.client_id = NEW.client_id AND (d.author IN (OLD.username, NEW.username) OR d.approved_by IN (OLD.username, NEW.username));
  RETURN NULL;
END $$;
CREATE TRIGGER document_people_renamed AFTER UPDATE OF name, username ON user_account FOR EACH ROW
  WHEN ((OLD.name, OLD.username) IS DISTINCT FROM (NEW.name, NEW.username)) EXECUTE FUNCTION document_people_renamed();

SELECT enter_document_words(client_id, array_agg(id)) FROM document GROUP BY client_id;
CREATE INDEX document_words_words ON document_words USING gin (words, client_id);
ANALYZE document_words;

-- What people call a part of a document: the label in its form, or of its row.
CREATE FUNCTION document_part_label(of_client int, of_document bigint, part text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(CASE part WHEN 'number' THEN 'Number' WHEN 'title' THEN 'Title' WHEN 'people' THEN 'Author or approver' WHEN 'decision_note' THEN 'Reason'
      WHEN 'controls.hazard_name' THEN 'Hazard' WHEN 'controls.control_name' THEN 'Control' WHEN 'controls.group_name' THEN 'Group' WHEN 'controls.persons' THEN 'Who might be harmed'
      WHEN 'substances.name' THEN 'Substance' WHEN 'references.notes' THEN 'Note on a reference' WHEN 'unplaced' THEN 'Answer without a field'
      WHEN 'methodStatement' THEN 'Method statement' WHEN 'ppeItems' THEN 'Protective equipment' WHEN 'worn' THEN 'Protective equipment' END,
    (SELECT jsonb_path_query_first(f.schema, '$.steps[*].groups[*].fields[*] ? (@.name == $name).label', jsonb_build_object('name', part)) #>> '{}'
     FROM document d JOIN form_version f ON f.client_id IN (d.client_id, 0) AND (f.id = d.form_id OR d.form_id IS NULL AND f.kind = d.kind AND f.declared)
     WHERE d.client_id = of_client AND d.id = of_document ORDER BY f.id DESC LIMIT 1),
    (SELECT upper(left(w, 1)) || substr(w, 2) FROM (SELECT replace(lower(regexp_replace(split_part('.' || part, '.', -1), '([A-Z])', ' \1', 'g')), '_', ' ') AS w) l)) $$;

-- The part of a document that has most of the words that its number and title do not have: its label, and its text around the
-- first of them in pieces, those that were searched for marked. Of other companies' documents, whose opening is logged, only
-- those words.
CREATE FUNCTION document_found(of_client int, of_document bigint, given text, reader int) RETURNS jsonb LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
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
    FROM marked, edges WHERE n BETWEEN low AND high AND (hit OR of_client IN (0, reader)))
  SELECT jsonb_agg(jsonb_build_object('text', r.text, 'found', r.hit) ORDER BY r.n) INTO pieces
  FROM (SELECT min(n) AS n, hit, string_agg(token, '' ORDER BY n) AS text FROM shown GROUP BY hit, run) r;
  RETURN jsonb_build_object('label', document_part_label(of_client, of_document, part_field), 'pieces', coalesce(pieces, '[]'));
END $$;
