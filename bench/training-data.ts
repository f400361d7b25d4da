import type pg from 'pg'
import { type BulkSize, createBulkDatabase, SHARING_CLIENTS } from './bulk-data.ts'
import { BENCH_USER } from './systems.ts'

/*
 * Training for benchmarks. One client has 800 people and 30 courses that everybody needs, most of them recorded. The
 * others share the rest of the records: 20 people and 5 courses each.
 */
export const TRAINING_BENCH_USER = { username: 'training', password: BENCH_USER.password }
/** Client with the matrix. It shares no records with the others. */
export const MATRIX_CLIENT_ID = SHARING_CLIENTS + 1
export const [MATRIX_PEOPLE, MATRIX_COURSES] = [800, 30]
const [OTHER_PEOPLE, OTHER_COURSES] = [20, 5]

const PEOPLE = `INSERT INTO employee (client_id, forename, surname, ext_c_start_date)
  SELECT c, f[1 + h(i, 2) % cardinality(f)], s[1 + h(i, 3) % cardinality(s)] || ' ' || substr(md5(i::text), 1, 3), '2015-01-05'
  FROM (SELECT i, CASE WHEN i <= ${MATRIX_PEOPLE} THEN ${MATRIX_CLIENT_ID} ELSE 1 + i % ${SHARING_CLIENTS} END AS c FROM generate_series(1, ${MATRIX_PEOPLE + SHARING_CLIENTS * OTHER_PEOPLE}) i) x,
    (SELECT string_to_array('Ann Bob Cleo Dan Eva Femi Gwen Hugh Isla Jack Kim Leo Mary Ned', ' ') f, string_to_array('Archer Baker Cooper Dyer Fletcher Glover Mason', ' ') s) w`
const JOBS = `INSERT INTO employee_job (client_id, employee_id, first_day, event, jobtitlename, applied) SELECT client_id, id, '2015-01-05', 'start', 'Labourer', true FROM employee`
const COURSES = `INSERT INTO training_course (client_id, name, validity_months)
  SELECT c, 'Course ' || n, 36 FROM generate_series(1, ${MATRIX_CLIENT_ID}) c, generate_series(1, CASE WHEN c = ${MATRIX_CLIENT_ID} THEN ${MATRIX_COURSES} ELSE ${OTHER_COURSES} END) n`
const NEEDS = `INSERT INTO training_requirement (client_id, course_id, scope, starts_on, reason) SELECT client_id, id, 'everybody', '2020-01-01', 'contract' FROM training_course WHERE client_id = ${MATRIX_CLIENT_ID}`
/** Records of one person in each course, if h allows it; times of each pair. */
const RECORDS = `INSERT INTO training_record (client_id, employee_id, course_id, completed_on, valid_until, result, author)
  SELECT e.client_id, e.id, k.id, d, d + 1095, 'passed', 'training' FROM employee e JOIN training_course k ON k.client_id = e.client_id,
    generate_series(1, $1::int) n, LATERAL (SELECT date '2021-01-04' + (h((e.id * 31 + k.id)::int, n) % 1800)::int AS d) x
  WHERE (e.client_id = ${MATRIX_CLIENT_ID}) = $2::boolean AND h((e.id * 37 + k.id)::int, 7) % 10 < $3::int`

/** Creates a database with the migrations of a source tree, and fills it with training. Returns its URL. */
export const createTrainingDatabase = (server: string, tree: string, { records }: BulkSize): Promise<string> =>
  createBulkDatabase(
    server,
    tree,
    { records, large: [MATRIX_CLIENT_ID] },
    {
      name: 'bench_training',
      tables: ['employee', 'employee_job', 'training_record'],
      users: [{ username: TRAINING_BENCH_USER.username, roles: ['ROLE_TRAINING'] }],
      fill: async (client) => {
        for (const statement of [PEOPLE, JOBS, COURSES, NEEDS]) await client.query(statement)
        await client.query(RECORDS, [1, true, 8])
        const pairs = SHARING_CLIENTS * OTHER_PEOPLE * OTHER_COURSES
        const times = Math.max(1, Math.round(records / pairs))
        await client.query(RECORDS, [times, false, Math.max(1, Math.round((10 * records) / (pairs * times)))])
      },
    },
  )

/** Opens the product of training to clients. */
export const openSafety = (client: pg.Client, clients: readonly number[]): Promise<unknown> =>
  client.query(
    `INSERT INTO app_status (client_id, product_id, has_lapsed) SELECT c, id, false FROM pack_product, unnest($1::int[]) c WHERE code = 'safety' ON CONFLICT DO NOTHING`,
    [clients],
  )
