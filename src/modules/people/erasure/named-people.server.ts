import type { SqlConn } from '#server/db/db.ts'
import type { ReplacedNames } from './erasure.ts'

/** Names of employees, beside a reference to each, that records may still change. */
interface NamedPeople {
  readonly data: string
  readonly table: string
  /** SQL of the change. $2 is the employee's ID and $3 the new name. */
  readonly set: string
  /** SQL of the condition for records `t` that name the employee $2. */
  readonly where: string
}

/** Documents in draft, open actions and talks, schedules. Sealed evidence and the audit trail never change. */
const OPEN_RECORDS: readonly NamedPeople[] = [
  {
    data: 'Drafts of documents',
    table: 'document',
    set: 'content = rename_employee_in(content, $2, $3)',
    where: `t.state = 'draft' AND employees_named_in(t.content) @> ARRAY[$2::bigint]`,
  },
  {
    data: 'Hazards of draft risk assessments',
    table: 'risk_item',
    set: 'responsible = $3',
    where: `t.responsibility = $2::bigint
      AND EXISTS (SELECT FROM document d WHERE d.client_id = t.client_id AND d.id = t.document_id AND d.state = 'draft')`,
  },
  {
    data: 'Open corrective actions',
    table: 'corrective_action',
    set: `manager_name = $3, email = ''`,
    where: `t.employee_id = $2::bigint AND t.state IN ('open', 'started', 'waiting')`,
  },
  { data: 'Form schedules', table: 'form_schedule', set: 'person = $3', where: 't.employee_id = $2::bigint' },
  {
    data: 'Open records of talks',
    table: 'talk_presented',
    set: 'presenter = $3',
    where: `t.presenter_employee_id = $2::bigint AND NOT t.complete AND NOT EXISTS (
      SELECT FROM talk_attendee a WHERE a.client_id = t.client_id AND a.presented_id = t.id AND a.signed_at IS NOT NULL)`,
  },
  {
    data: 'People listed for open talks',
    table: 'talk_attendee',
    set: 'name = $3',
    where: `t.employee_id = $2::bigint AND t.signed_at IS NULL
      AND EXISTS (SELECT FROM talk_presented p WHERE p.client_id = t.client_id AND p.id = t.presented_id AND NOT p.complete)`,
  },
]

/** Tables with names that erasing an identity replaces. */
export const NAMED_PEOPLE_TABLES = OPEN_RECORDS.map(({ table }) => table)

const COUNTS = OPEN_RECORDS.map(
  ({ table, where }) => `SELECT count(*)::int AS count FROM ${table} t WHERE t.client_id = $1 AND ${where}`,
).join(' UNION ALL ')

/** Counts the records in which erasing an identity replaces the name. */
export async function countReplacedNames(conn: SqlConn, clientId: number, id: number): Promise<ReplacedNames[]> {
  const counts = await conn.rows<{ count: number }>(COUNTS, [clientId, id])
  return OPEN_RECORDS.flatMap(({ data }, i) => {
    const count = counts[i]?.count ?? 0
    return count ? [{ data, count }] : []
  })
}

/** Replaces the name of an employee in all records that may still change. */
export async function replaceNames(conn: SqlConn, clientId: number, id: number, name: string): Promise<void> {
  for (const { table, set, where } of OPEN_RECORDS)
    await conn.rows(`UPDATE ${table} t SET ${set} WHERE t.client_id = $1 AND ${where}`, [clientId, id, name])
}

/**
 * SQL of the sealed documents and completed forms that name the employee $2, with the day on which a later revision took
 * the place of a document.
 */
export const SEALED_NAMES = `
  SELECT (SELECT min(n.completed_at AT TIME ZONE 'Europe/London')::date FROM document n
      WHERE n.client_id = d.client_id AND n.kind = d.kind AND n.number = d.number AND n.revision > d.revision AND n.current) AS replaced_on
    FROM document d WHERE d.client_id = $1 AND d.state <> 'draft'
      AND (employees_named_in(d.content) @> ARRAY[$2::bigint]
        OR d.id IN (SELECT document_id FROM risk_item WHERE client_id = $1 AND responsibility = $2::bigint AND responsibility <> 0))
  UNION ALL SELECT NULL FROM custom_form_answer f WHERE f.client_id = $1 AND employees_named_in(f.answers) @> ARRAY[$2::bigint]`
