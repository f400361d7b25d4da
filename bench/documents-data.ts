import { type BulkSize, createBulkDatabase, LARGE_CLIENT_RECORDS, SHARING_CLIENTS } from './bulk-data.ts'
import { BENCH_USER } from './systems.ts'

/*
 * Documents for benchmarks. Nine out of ten are risk assessments, one in twenty is retired, and half are current. The
 * first hundred are the provider's templates.
 */
/** User who signs in to both the small and the large clients. */
export const DOCUMENTS_BENCH_USER = { username: 'docs', password: BENCH_USER.password }

const FILL = `INSERT INTO document (client_id, kind, number, title, state, complete, approved, current, retired, content, author, created_at, updated_at)
  SELECT client, CASE WHEN h(i, 2) % 10 = 0 THEN 'coshh_assessment' ELSE 'risk_assessment' END, 'RA-' || lpad(i::text, 7, '0'),
    w[1 + h(i, 3) % cardinality(w)] || ' ' || t[1 + h(i, 4) % cardinality(t)] || ' ' || substr(md5(i::text), 1, 4),
    CASE WHEN h(i, 5) % 2 = 0 THEN 'current' ELSE 'complete' END, true, h(i, 5) % 2 = 0, h(i, 5) % 2 = 0 AND h(i, 6) % 20 > 0, h(i, 6) % 20 = 0,
    jsonb_build_object('location', 'Site ' || h(i, 7) % 1000, 'reviewReason', repeat('What was found on the day. ', (h(i, 8) % 12)::int)),
    'person' || h(i, 9) % 40, timestamptz '2025-01-01' + make_interval(mins => (h(i, 10) % 800000)::int), timestamptz '2025-01-01' + make_interval(mins => (h(i, 10) % 800000)::int)
  FROM (SELECT i, CASE WHEN i <= 100 THEN 0 WHEN i <= 100 + cardinality($2::int[]) * ${LARGE_CLIENT_RECORDS} THEN ($2::int[])[1 + i % cardinality($2::int[])] ELSE (1 + h(i, 1) % ${SHARING_CLIENTS})::int END AS client FROM generate_series(1, $1::int) i) s,
    (SELECT string_to_array('Roofing Scaffold Asbestos Excavation Lifting Welding Painting Demolition Electrical Plumbing', ' ') w,
            string_to_array('survey works repairs access inspection maintenance', ' ') t) x`

/**
 * Words of the documents, as triggers insert them: those of the number and title, and an answer of about fifty words.
 * `w0` is in nearly every answer, `w4999` in few.
 */
const WORDS = [
  `CREATE TEMP TABLE answer AS SELECT b, string_agg(format('''w%s'':3C', x), ' ') AS lexemes, string_agg('w' || x, ' ') AS words
   FROM generate_series(1, 20000) b, LATERAL (SELECT DISTINCT (5000 * power((h(b, 100 + k) % 10000) / 10000.0, 3))::int AS x FROM generate_series(1, 60) k) w GROUP BY b`,
  `INSERT INTO document_words (client_id, document_id, words, fields, parts)
   SELECT d.client_id, d.id, (a.lexemes || format(' ''ra'':1A ''%s'':1A ', ltrim(substr(d.number, 4), '0')) || t.lexemes)::tsvector, '{number,title,equipment}', ARRAY[d.number, d.title, a.words]
   FROM document d JOIN answer a ON a.b = 1 + h(d.id::int, 11) % 20000,
     LATERAL (SELECT string_agg(format('''%s'':2A ''%s'':2A', w, word_stem(w)), ' ') AS lexemes FROM regexp_split_to_table(lower(d.title), ' ') w) t
   ON CONFLICT DO NOTHING`,
]

/** Creates a database with the migrations of a source tree, and fills it with documents. Returns its URL. */
export const createDocumentsDatabase = (server: string, tree: string, size: BulkSize): Promise<string> =>
  createBulkDatabase(server, tree, size, {
    name: 'bench_documents',
    tables: ['document', 'document_words'],
    users: [{ username: DOCUMENTS_BENCH_USER.username, roles: ['ROLE_CLIENT_ADMIN'] }],
    fill: async (client) => {
      await client.query(FILL, [size.records, size.large])
      for (const text of WORDS) await client.query(text)
    },
  })
