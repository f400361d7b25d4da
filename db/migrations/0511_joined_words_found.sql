-- Documents and files are found by words with and without their hyphens and dots, by postcodes with and without the space, and by
-- telephone numbers in any spelling. Letters become the same plain letters as in `search_form`, and "&" is "and".
CREATE OR REPLACE FUNCTION plain_words(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(translate(replace(replace(replace(replace(replace(regexp_replace(
    lower(CASE WHEN given ~ '^[ -~]*$' THEN given ELSE normalize(given, NFKD) END),
    '[''’‘ʼ`´\u00ad\u0300-\u036f\u200b-\u200f\u2060\ufeff]+', '', 'g'), '&', ' and '), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđıðħŧŋς', 'oldidhtnσ'), '[^[:alnum:]]+', ' ', 'g')) $$;

-- The words of a text after its compounds, postcodes and telephone numbers were joined; null if it has none. Of a text that consists
-- of a telephone number, only that.
CREATE FUNCTION joined_words(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  joined text;
  numbers text := '';
BEGIN
  IF given !~ '[[:alnum:]][-‐‑‒–.][[:alnum:]]|[0-9]' THEN RETURN NULL; END IF;
  IF given ~ '[0-9][0-9 ()./-]{7,}[0-9]' THEN
    numbers := array_to_string(ARRAY(SELECT regexp_replace(regexp_replace(n, '^\+44', '0'), '^\+', '') FROM unnest(phone_numbers(left(given, 4000))) n), ' ');
    IF numbers <> '' AND given ~ '^[0-9 ()+./-]*$' THEN RETURN numbers; END IF;
  END IF;
  joined := plain_words(regexp_replace(regexp_replace(given, '(?<=[[:alnum:]])[-‐‑‒–](?=[[:alnum:]])', '', 'g'), '(?<=[[:alpha:]])[.](?=[[:alpha:]])', '', 'g'));
  joined := btrim(regexp_replace(joined, '\m([a-z]{1,2}[0-9][a-z0-9]?) ([0-9][a-z]{2})\M', '\1\2', 'g') || ' ' || numbers);
  RETURN CASE WHEN joined <> plain_words(given) THEN joined END;
END $$;

-- The words under which a text is entered in the search.
CREATE FUNCTION entered_words(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT concat_ws(' ', plain_words(given), joined_words(given)) $$;

CREATE OR REPLACE FUNCTION words_query(given text, every boolean) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(CASE WHEN every THEN '(' || q || ')' ELSE q END, ' | '), '''-''')::tsquery FROM (
    SELECT string_agg(CASE WHEN start THEN format('(''%s'' | ''%s'':*)', stem, word) ELSE format('''%s''', stem) END,
      CASE WHEN every THEN ' & ' ELSE ' | ' END ORDER BY n) AS q
    FROM (VALUES (given), (joined_words(given))) t (text), searched_words(t.text) WHERE t.text IS NOT NULL AND given ~ '[[:alnum:]]' GROUP BY t.text) s $$;

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
            regexp_replace(plain_words(part), '\m0+(?=\d)', '', 'g'), replace(regexp_replace(plain_words(part), '\m0+(?=\d)', '', 'g'), ' ', '')) ELSE entered_words(part) END, ' ') w(word),
          LATERAL (VALUES (left(w.word, 60)), (word_stem(w.word))) x(lexeme) WHERE w.word <> '') e
      GROUP BY lexeme) l) w
  ON CONFLICT (client_id, document_id) DO UPDATE SET words = excluded.words, fields = excluded.fields, parts = excluded.parts $$;

CREATE OR REPLACE FUNCTION file_words(name text, label text, parts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((string_agg(format('''%s'':%s', lexeme, places), ' ') FILTER (WHERE size < 900000))::tsvector, '') FROM (
    SELECT lexeme, string_agg(least(place, 16383) || CASE place WHEN 1 THEN 'A' ELSE 'C' END, ',') AS places,
      sum(octet_length(lexeme) + 8 + 2 * count(*)) OVER (ORDER BY min(place), lexeme) AS size FROM (
      SELECT DISTINCT x.lexeme, t.place FROM unnest(ARRAY[concat_ws(' ', file_words.name, file_words.label)] || file_words.parts) WITH ORDINALITY t(part, place),
        regexp_split_to_table(entered_words(part), ' ') w(word),
        LATERAL (VALUES (left(w.word, 60)), (word_stem(w.word))) x(lexeme) WHERE w.word <> '') e
    GROUP BY lexeme) l $$;

-- Only texts whose words have become others are entered anew.
CREATE FUNCTION pg_temp.has_other_words(given text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT given ~ '[&æœþðħŧŋÆŒÞÐĦŦŊ]|[[:alnum:]][-‐‑‒–][[:alnum:]]|[[:alpha:]][.][[:alpha:]]|[A-Za-z]{1,2}[0-9][A-Za-z0-9]? [0-9][A-Za-z]{2}|[0-9][0-9 ()./-]{7,}[0-9]' $$;
SELECT enter_document_words(client_id, array_agg(document_id)) FROM document_words WHERE pg_temp.has_other_words(array_to_string(parts, E'\n')) GROUP BY client_id;
UPDATE uploaded_document_words w SET words = file_words(d.name, d.label, w.parts) FROM uploaded_document d
  WHERE d.client_id = w.client_id AND d.id = w.uploaded_document_id AND pg_temp.has_other_words(d.name || E'\n' || d.label || E'\n' || array_to_string(w.parts, E'\n'));
DROP FUNCTION pg_temp.has_other_words(text);
