import type pg from 'pg'
import { type BulkSize, createBulkDatabase, LARGE_CLIENT_RECORDS, SHARING_CLIENTS } from './bulk-data.ts'
import { BENCH_USER } from './systems.ts'

/*
 * Incidents for benchmarks: three of four are reported by one of 40 sites, one in five is a near miss, one in fifty is
 * deleted, and four of five have one injured party, every tenth of them with an absence. They happened over two years.
 */
/** Users of both the small and the large clients. Only the second reads health details. */
export const INCIDENTS_BENCH_USER = { username: 'book', password: BENCH_USER.password }
export const HEALTH_BENCH_USER = { username: 'health', password: BENCH_USER.password }

/** Users who only report incidents. */
export const REPORTING_BENCH_USERS = Array.from({ length: 50 }, (_, n) => ({
  username: `reporter${n}`,
  password: BENCH_USER.password,
}))

const FILL = `INSERT INTO incident_report (client_id, number, near_miss, description, happened_at, incident_type_id, site_id, department_id, internal_location, city, reported_by,
    sub_activity, state, retired, retire_reason, riddor_outcome, riddor_decision, author, created_at, reported_at, updated_at)
  SELECT client, 'INC-' || lpad(i::text, 7, '0'), h(i, 2) % 5 = 0,
    w[1 + h(i, 3) % cardinality(w)] || ' ' || t[1 + h(i, 4) % cardinality(t)] || ' ' || substr(md5(i::text), 1, 4) || repeat('. It was wet and the light was bad', (h(i, 8) % 6)::int),
    at, 1 + h(i, 5) % 31, CASE WHEN h(i, 6) % 4 > 0 AND s.big THEN client * 100 + h(i, 7) % 40 END, CASE WHEN h(i, 9) % 2 = 0 AND s.big THEN client * 100 + h(i, 10) % 20 END,
    'Bay ' || h(i, 11) % 30, 'Leeds', 'Ann Carter', 'Mixing', (ARRAY['reported', 'investigating', 'closed'])[1 + h(i, 12) % 3], h(i, 13) % 50 = 0, CASE WHEN h(i, 13) % 50 = 0 THEN 'Entered twice' ELSE '' END,
    'notReportable', CASE WHEN h(i, 14) % 20 = 0 THEN 'reportable' ELSE 'not reportable' END, 'person' || h(i, 15) % 40, at, at, at
  FROM (SELECT i, i <= cardinality($2::int[]) * ${LARGE_CLIENT_RECORDS} AS big,
      CASE WHEN i <= cardinality($2::int[]) * ${LARGE_CLIENT_RECORDS} THEN ($2::int[])[1 + i % cardinality($2::int[])] ELSE (1 + h(i, 1) % ${SHARING_CLIENTS})::int END AS client,
      date_trunc('hour', now()) - make_interval(mins => (h(i, 16) % 1051200)::int) AS at FROM generate_series(1, $1::int) i) s,
    (SELECT string_to_array('Slipped Tripped Cut Burnt Bruised Crushed Fell Strained Dropped Collided', ' ') w,
            string_to_array('ladder scaffold mixer doorway pallet stairs', ' ') t) x`

const PEOPLE = `INSERT INTO incident_person (client_id, report_id, detailed, name, job_class_id, incident_type_id, main_factor_id, injury_sustained_id, severity_id, body_part_id, description, absences)
  SELECT r.client_id, r.id, true, 'Person ' || h(r.id::int, 20) % 5000, 1, 1 + h(r.id::int, 21) % 16, 1 + h(r.id::int, 22) % 25, 1, 7, 2 + h(r.id::int, 23) % 23, 'Cut',
    CASE WHEN h(r.id::int, 24) % 10 = 0 THEN jsonb_build_array(jsonb_build_object('from', (r.happened_at::date + 1)::text, 'until', (r.happened_at::date + 1 + (h(r.id::int, 25) % 12)::int)::text)) END
  FROM incident_report r WHERE NOT r.near_miss`

/** Adds sites, departments, and hours worked to the large clients. */
async function addPlaces(client: pg.Client, { large }: BulkSize): Promise<void> {
  for (const id of large) {
    await client.query(
      `INSERT INTO incident_site (client_id, id, name) SELECT $1::int, $1::int * 100 + i, 'Site ' || i FROM generate_series(0, 39) i`,
      [id],
    )
    await client.query(
      `INSERT INTO incident_department (client_id, id, name) SELECT $1::int, $1::int * 100 + i, 'Department ' || i FROM generate_series(0, 19) i`,
      [id],
    )
    await client.query(
      `INSERT INTO incident_workforce_month (client_id, month, hours, headcount) SELECT $1::int, date_trunc('month', now())::date - make_interval(months => i), 40000, 250 FROM generate_series(1, 60) i`,
      [id],
    )
  }
}

/** Creates a database with the migrations of a source tree, and fills it with incidents. Returns its URL. */
export const createIncidentsDatabase = (server: string, tree: string, size: BulkSize): Promise<string> =>
  createBulkDatabase(server, tree, size, {
    name: 'bench_incidents',
    tables: ['incident_report', 'incident_person'],
    users: [
      { username: INCIDENTS_BENCH_USER.username, roles: ['ROLE_CLIENT_ADMIN'] },
      { username: HEALTH_BENCH_USER.username, roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INCIDENT_READER'] },
      ...REPORTING_BENCH_USERS.map(({ username }) => ({ username, roles: ['ROLE_EMPLOYEE'] })),
    ],
    fill: async (client) => {
      await addPlaces(client, size)
      await client.query(FILL, [size.records, size.large])
      await client.query(PEOPLE)
    },
  })
