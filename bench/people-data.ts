import type pg from 'pg'
import {
  type BulkSize,
  createBulkDatabase,
  LARGE_CLIENT_RECORDS,
  SHARING_CLIENTS,
  SMALL_CLIENT_ID,
} from './bulk-data.ts'
import { BENCH_USER } from './systems.ts'

/*
 * Employees for benchmarks. In each large client, one department of 800 people takes leave, and the others belong to 20
 * departments. 5,000 of them have one surname. The small clients have no departments.
 */
export const HR_BENCH_USER = { username: 'hr', password: BENCH_USER.password }
/** Users with a record as employee in the department that takes leave. */
export const PHONE_BENCH_USERS = Array.from({ length: 50 }, (_, n) => ({
  username: `phone${n}`,
  password: BENCH_USER.password,
}))

export const LEAVE_PEOPLE = 800
export const CHANGED_PEOPLE = 5000
/** Requests of each person in a year. */
const REQUESTS = 10
const DEPARTMENTS = 20
const LEAVE_PLACE = 50
/** Surname by which the people of a mass update are found. */
export const CHANGED_SURNAME = 'Zephyr'
export const leaveDepartment = (clientId: number): number => clientId * 100 + LEAVE_PLACE

const FILL = `INSERT INTO employee (client_id, forename, surname, email, payroll, jobtitlename, ext_c_start_date, department_id, nation)
  SELECT client, f[1 + h(i, 2) % cardinality(f)], CASE WHEN big AND place BETWEEN ${LEAVE_PEOPLE} AND ${LEAVE_PEOPLE + CHANGED_PEOPLE - 1} THEN '${CHANGED_SURNAME}' ELSE s[1 + h(i, 3) % cardinality(s)] END || ' ' || substr(md5(i::text), 1, 3), 'p' || i || '@example.test', 'P' || i,
    j[1 + h(i, 4) % cardinality(j)], date '2015-01-05' + (h(i, 5) % 3000)::int,
    CASE WHEN NOT big THEN NULL WHEN place < ${LEAVE_PEOPLE} THEN client * 100 + ${LEAVE_PLACE} ELSE client * 100 + h(i, 6) % ${DEPARTMENTS} END, 'england'
  FROM (SELECT i, i <= cardinality($2::int[]) * ${LARGE_CLIENT_RECORDS} AS big, (i - 1) / cardinality($2::int[]) AS place,
      CASE WHEN i <= cardinality($2::int[]) * ${LARGE_CLIENT_RECORDS} THEN ($2::int[])[1 + i % cardinality($2::int[])] ELSE (1 + h(i, 1) % ${SHARING_CLIENTS})::int END AS client
      FROM generate_series(1, $1::int) i) x,
    (SELECT string_to_array('Ann Bob Cleo Dan Eva Femi Gwen Hugh Isla Jack Kim Leo Mary Ned Olga Paul Ruth Sam Tess Zoe', ' ') f,
            string_to_array('Archer Baker Cooper Dyer Fletcher Glover Hooper Mason Naylor Potter Sawyer Tanner Turner Wright', ' ') s,
            string_to_array('Bricklayer,Joiner,Roofer,Labourer,Plumber,Carer,Cleaner,Driver', ',') j) w`

/** Creates a database with the migrations of a source tree, and fills it with employees. Returns its URL. */
export const createPeopleDatabase = (server: string, tree: string, size: BulkSize): Promise<string> =>
  createBulkDatabase(server, tree, size, {
    name: 'bench_people',
    tables: ['employee'],
    users: [
      { username: HR_BENCH_USER.username, roles: ['ROLE_HR'] },
      ...PHONE_BENCH_USERS.map(({ username }) => ({ username, roles: ['ROLE_EMPLOYEE'] })),
    ],
    fill: async (client) => {
      for (const id of size.large)
        await client.query(
          `INSERT INTO department (client_id, id, name) SELECT $1::int, $1::int * 100 + i, 'Department ' || i FROM generate_series(0, ${LEAVE_PLACE}) i`,
          [id],
        )
      await client.query(FILL, [size.records, size.large])
    },
  })

/** Activates the products, and gives the people in one department work patterns and a year of approved leave. */
export async function addLeave(client: pg.Client, { large }: BulkSize, clientId: number, year: number): Promise<void> {
  await client.query(
    `INSERT INTO app_status (client_id, product_id, has_lapsed) SELECT c, id, false FROM pack_product, unnest($1::int[]) c WHERE code = ANY ('{safety,employees,holidays}')
     ON CONFLICT DO NOTHING`,
    [[SMALL_CLIENT_ID, ...large]],
  )
  const shift = [{ from: '08:00', until: '16:00', breakMinutes: 0 }]
  const week = JSON.stringify(Array.from({ length: 7 }, (_, n) => (n < 5 ? shift : [])))
  await client.query('INSERT INTO work_pattern (client_id, id, name, days) VALUES ($1, 1, $2, $3)', [
    clientId,
    'Week',
    week,
  ])
  const people = 'SELECT id FROM employee WHERE client_id = $1 AND department_id = $2'
  const of = [clientId, leaveDepartment(clientId)]
  await client.query(
    `INSERT INTO employee_work_pattern (client_id, employee_id, pattern_id, first_day, cycle_start) SELECT $1, id, 1, '2015-01-05', '2015-01-05' FROM (${people}) e`,
    of,
  )
  await client.query(
    `WITH made AS (
       INSERT INTO leave_request (client_id, employee_id, kind_id, deducted, state, first_day, last_day, minutes, author, decided_by, decided_at)
       SELECT $1, e.id, (SELECT id FROM leave_kind WHERE code = 'annual'), true, 'approved', d, d + 1, 960, 'hr', 'hr', now()
       FROM (${people}) e, generate_series(0, ${REQUESTS - 1}) n, LATERAL (SELECT make_date($3::int, 1, 5) + (n * 35 + e.id % 20)::int AS d) x RETURNING id, employee_id, first_day, last_day)
     INSERT INTO leave_request_part (client_id, request_id, employee_id, first_day, last_day) SELECT $1, id, employee_id, first_day, last_day FROM made`,
    [...of, year],
  )
  await client.query(
    `UPDATE employee e SET user_id = u.id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM user_account WHERE client_id = $1 AND username LIKE 'phone%') u,
       (SELECT id, row_number() OVER (ORDER BY id) AS n FROM employee WHERE client_id = $1 AND department_id = $2) p
     WHERE e.client_id = $1 AND e.id = p.id AND p.n = u.n`,
    of,
  )
  await client.query('VACUUM ANALYZE')
}
