-- Files are found by the words within them. `parts`: their text in pieces of a few lines, which a process reads after the upload.
-- `words`: the stems and the words themselves; the position of each is that of its part, the first that of the name and label.
CREATE TABLE uploaded_document_words (
  client_id int NOT NULL, uploaded_document_id bigint NOT NULL,
  words tsvector NOT NULL, parts text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (client_id, uploaded_document_id),
  FOREIGN KEY (client_id, uploaded_document_id) REFERENCES uploaded_document (client_id, id) ON DELETE CASCADE);
SELECT tenant_table('uploaded_document_words', true);

-- Enters the words of a file anew, only up to the size that a text search vector can have, the first ones first.
CREATE FUNCTION file_words(name text, label text, parts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((string_agg(format('''%s'':%s', lexeme, places), ' ') FILTER (WHERE size < 900000))::tsvector, '') FROM (
    SELECT lexeme, string_agg(least(place, 16383) || CASE place WHEN 1 THEN 'A' ELSE 'C' END, ',') AS places,
      sum(octet_length(lexeme) + 8 + 2 * count(*)) OVER (ORDER BY min(place), lexeme) AS size FROM (
      SELECT DISTINCT x.lexeme, t.place FROM unnest(ARRAY[concat_ws(' ', file_words.name, file_words.label)] || file_words.parts) WITH ORDINALITY t(part, place),
        regexp_split_to_table(plain_words(part), ' ') w(word),
        LATERAL (VALUES (left(w.word, 60)), (word_stem(w.word))) x(lexeme) WHERE w.word <> '') e
    GROUP BY lexeme) l $$;

CREATE FUNCTION uploaded_document_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO uploaded_document_words (client_id, uploaded_document_id, words) VALUES (NEW.client_id, NEW.id, file_words(NEW.name, NEW.label, '{}'))
    ON CONFLICT (client_id, uploaded_document_id) DO UPDATE SET words = file_words(NEW.name, NEW.label, uploaded_document_words.parts);
  RETURN NULL;
END $$;
CREATE TRIGGER uploaded_document_words_added AFTER INSERT ON uploaded_document FOR EACH ROW EXECUTE FUNCTION uploaded_document_words_changed();
CREATE TRIGGER uploaded_document_words_updated AFTER UPDATE OF name, label ON uploaded_document FOR EACH ROW
  WHEN ((OLD.name, OLD.label) IS DISTINCT FROM (NEW.name, NEW.label)) EXECUTE FUNCTION uploaded_document_words_changed();

INSERT INTO uploaded_document_words (client_id, uploaded_document_id, words) SELECT client_id, id, file_words(name, label, '{}') FROM uploaded_document;
CREATE INDEX uploaded_document_words_words ON uploaded_document_words USING gin (words, client_id);
-- Files that were uploaded before are read as if they had just been uploaded.
INSERT INTO outbox (client_id, kind, version, payload) SELECT client_id, 'file.uploaded', 1, jsonb_build_object('file', id) FROM uploaded_document WHERE NOT retired ORDER BY client_id, id;

-- A text around the first word that was searched for, in pieces, those that were searched for marked.
CREATE FUNCTION marked_pieces(part text, stems text[], beginning text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH tokens AS MATERIALIZED (
    SELECT t[1] AS token, n, plain_words(t[1]) AS word
    FROM regexp_matches(left(part, 4000), '[[:alnum:]''’‘ʼ\u0300-\u036f]+|[^[:alnum:]''’‘ʼ\u0300-\u036f]+', 'g') WITH ORDINALITY m(t, n)),
  marked AS MATERIALIZED (
    SELECT token, n, word <> '' AND (word_stem(word) = ANY (stems) OR starts_with(word, beginning)) IS TRUE AS hit FROM tokens),
  edges AS (SELECT coalesce(min(n) FILTER (WHERE hit), 1) - 5 AS low, coalesce(min(n) FILTER (WHERE hit), 1) + 40 AS high, max(n) AS last FROM marked),
  shown AS (
    SELECT n, hit, n - row_number() OVER (PARTITION BY hit ORDER BY n) AS run,
      CASE WHEN n = low AND n > 1 THEN '… ' ELSE '' END || left(token, 200) || CASE WHEN n = high AND n < last THEN ' …' ELSE '' END AS token
    FROM marked, edges WHERE n BETWEEN low AND high)
  SELECT coalesce(jsonb_agg(jsonb_build_object('text', r.text, 'found', r.hit) ORDER BY r.n), '[]')
  FROM (SELECT min(n) AS n, hit, string_agg(token, '' ORDER BY n) AS text FROM shown GROUP BY hit, run) r $$;

-- The position of the part that has most of the searched words that the first parts (weight A) do not have.
CREATE FUNCTION best_part(words tsvector, stems text[], beginning text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH hits AS (
    SELECT w.n, p.place, p.weight FROM unnest(words) l
      JOIN unnest(stems) WITH ORDINALITY w(stem, n) ON l.lexeme = w.stem OR w.n = cardinality(stems) AND starts_with(l.lexeme, beginning),
      unnest(l.positions, l.weights) p(place, weight))
  SELECT place FROM hits WHERE n NOT IN (SELECT n FROM hits WHERE weight = 'A') GROUP BY place ORDER BY count(DISTINCT n) DESC, place LIMIT 1 $$;

-- The part of a document that has most of the words that its number and title do not have: its label, and its text around the
-- first of them. Of other companies' documents, whose opening is logged, only the label: from the words that match, the text
-- could be guessed.
CREATE OR REPLACE FUNCTION document_found(of_client int, of_document bigint, given text, reader int) RETURNS jsonb LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
  SELECT jsonb_build_object('label', document_part_label(of_client, of_document, s.fields[p.place]),
    'pieces', CASE WHEN of_client IN (0, reader) THEN marked_pieces(s.parts[p.place], q.stems, q.beginning) ELSE '[]' END)
  FROM document_words s,
    LATERAL (SELECT array_agg(w.stem ORDER BY w.n) AS stems, max(w.word) FILTER (WHERE w.start) AS beginning FROM searched_words(given) w) q,
    LATERAL (SELECT best_part(s.words, q.stems, q.beginning) AS place) p
  WHERE s.client_id = of_client AND s.document_id = of_document AND s.parts[p.place] IS NOT NULL $$;

-- The same of a file.
CREATE FUNCTION file_found(of_client int, of_file bigint, given text, reader int) RETURNS jsonb LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
  SELECT jsonb_build_object('label', 'Content', 'pieces', CASE WHEN of_client IN (0, reader) THEN marked_pieces(s.parts[p.place - 1], q.stems, q.beginning) ELSE '[]' END)
  FROM uploaded_document_words s,
    LATERAL (SELECT array_agg(w.stem ORDER BY w.n) AS stems, max(w.word) FILTER (WHERE w.start) AS beginning FROM searched_words(given) w) q,
    LATERAL (SELECT best_part(s.words, q.stems, q.beginning) AS place) p
  WHERE s.client_id = of_client AND s.uploaded_document_id = of_file AND s.parts[p.place - 1] IS NOT NULL $$;
