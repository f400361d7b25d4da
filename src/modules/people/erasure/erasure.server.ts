import { problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import type { SqlConn } from '#server/db/db.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { employee } from '../employees/employee.ts'
import { HR_ROLES } from '../rights.ts'
import {
  describeRefusal,
  type ErasureReport,
  findRetainedData,
  formerEmployeeName,
  type RetentionFacts,
  type RetentionRule,
  retainedDataUrl,
} from './erasure.ts'
import { countReplacedNames, NAMED_PEOPLE_TABLES, replaceNames, SEALED_NAMES } from './named-people.server.ts'

const { periods } = readReferenceFile('retention-periods.json') as { readonly periods: readonly RetentionRule[] }

type Employee = RowOf<typeof employee>

const FACTS = `SELECT
  (SELECT count(*)::int FROM employee_job WHERE client_id = $1 AND employee_id = $2) AS jobs,
  (SELECT count(*)::int FROM sickness_absence WHERE client_id = $1 AND employee_id = $2) AS sickness,
  (SELECT count(*)::int FROM employment_contract WHERE client_id = $1 AND employee_id = $2) AS contracts,
  (SELECT count(*)::int FROM signature WHERE client_id = $1 AND user_id = $3) AS signatures,
  (SELECT count(*)::int FROM training_record WHERE client_id = $1 AND employee_id = $2) AS training,
  (SELECT count(*)::int FROM employee_work_pattern WHERE client_id = $1 AND employee_id = $2) AS patterns,
  (SELECT count(*)::int FROM right_to_work_check WHERE client_id = $1 AND employee_id = $2) AS "rightToWork",
  (SELECT count(*)::int FROM leave_entry WHERE client_id = $1 AND employee_id = $2) AS leave,
  (SELECT max(created_at AT TIME ZONE 'Europe/London')::date::text FROM leave_entry WHERE client_id = $1 AND employee_id = $2) AS "leaveRecordedOn",
  n.documents, n."documentsReplacedOn",
  (SELECT coalesce(json_agg(json_build_object(
      'happenedOn', (r.happened_at AT TIME ZONE 'Europe/London')::date::text,
      'recordedOn', greatest((r.created_at AT TIME ZONE 'Europe/London')::date, h.sent_on)::text,
      'reported', h.sent_on IS NOT NULL)), '[]')
    FROM incident_report r
      LEFT JOIN LATERAL (SELECT max(sent_on) AS sent_on FROM hse_report WHERE client_id = r.client_id AND report_id = r.id) h ON true
    WHERE r.client_id = $1 AND r.state <> 'draft' AND r.id IN (SELECT report_id FROM incident_person WHERE client_id = $1 AND employee_id = $2)) AS accidents
  FROM (SELECT count(*)::int AS documents, max(replaced_on)::text AS "documentsReplacedOn" FROM (${SEALED_NAMES}) s) n`

const NOTHING = { retained: [], replaced: [] } as const

/** Reads the records that remain of an employee, and whether the rules let the identity be erased today. */
async function readErasureReport(
  conn: SqlConn,
  clientId: number,
  row: Employee,
  today: string,
): Promise<ErasureReport> {
  if (row.erasedOn) return { ...NOTHING, refusal: 'The identity of this employee has been erased already.' }
  if (!row.retired)
    return { ...NOTHING, refusal: 'The identity of an employee can be erased only after the last day of employment.' }
  if (!row.leavingDate)
    return { ...NOTHING, refusal: 'The last day of employment is missing. Retention is counted from it.' }
  const [facts] = await conn.rows<Omit<RetentionFacts, 'lastDay' | 'born'>>(FACTS, [clientId, row.id, row.user])
  if (!facts) throw problem.notFound()
  const retained = findRetainedData({ ...facts, lastDay: row.leavingDate, born: row.dob }, periods)
  const refusal =
    describeRefusal(retained, today) ||
    (facts.rightToWork
      ? 'Right-to-work checks are stored. Please confirm their destruction under Right to work first.'
      : '')
  return { retained, replaced: await countReplacedNames(conn, clientId, row.id), refusal }
}

/** Statements that replace or remove the identity elsewhere; $3 is the new name. Names in other records are replaced as well. */
const ERASURES = [
  `UPDATE user_account SET name = $3, email = '', telephone = '', in_phonebook = false, waiting_email = '', waiting_roles = '{}', waiting_until = NULL
   WHERE client_id = $1 AND id = (SELECT user_id FROM employee WHERE client_id = $1 AND id = $2)`,
  `UPDATE leave_request SET details = '', event_on = NULL WHERE client_id = $1 AND employee_id = $2 AND NOT deducted`,
  'UPDATE employee_import_line SET name = $3 WHERE client_id = $1 AND employee_id = $2',
  'DELETE FROM name_match WHERE client_id = $1 AND employee_id = $2',
  `DELETE FROM run_change c USING run r WHERE c.client_id = $1 AND c.row_id = $2 AND r.client_id = c.client_id AND r.id = c.run_id AND r.kind = 'people.import'`,
] as const

const ERASED_TABLES = [
  'employee',
  'user_account',
  'leave_request',
  'employee_import_line',
  'name_match',
  'audit',
  ...NAMED_PEOPLE_TABLES,
]

/**
 * Erases the identity of an employee whose retention has ended. The audit row has no former value, unlike that of a
 * change by the engine.
 */
export async function eraseIdentity(c: Context & { readonly row: Employee }): Promise<Record<string, never>> {
  const { row, clientId, actor } = c
  const { tx } = c.work
  if (row.user !== null && row.user === actor.userId)
    throw problem.forbidden('Another person has to erase your own identity.')
  const today = londonDate(c.now).toString()
  const { retained, replaced, refusal } = await readErasureReport(tx, clientId, row, today)
  if (refusal) throw problem.conflict(refusal)
  const { forename, surname } = formerEmployeeName(row.id)
  const name = `${forename} ${surname}`
  for (const statement of ERASURES)
    await tx.rows(statement, [clientId, row.id, ...(statement.includes('$3') ? [name] : [])])
  await replaceNames(tx, clientId, row.id, name)
  await tx.rows(
    `UPDATE employee SET forename = $3, surname = $4, erased_on = $5, email = '', payroll = '', telephone = '', mobile = '', address1 = '', address2 = '',
       city = '', county = '', postcode = '', dob = NULL, sex = 0, leaving_reason = NULL, emergency_contacts = '[]', national_insurance_number = '',
       account_holder = '', sort_code = '', account_number = '' WHERE client_id = $1 AND id = $2`,
    [clientId, row.id, forename, surname, today],
  )
  await writeAuditEvent(tx, actor, {
    clientId,
    type: employee.type,
    rowId: row.id,
    verb: 'erase',
    changes: { retained: retained.map(({ data, count, rule, until }) => ({ data, count, rule, until })), replaced },
  })
  for (const table of ERASED_TABLES) c.work.touched.add(table)
  return {}
}

const reportRoute: Route = {
  method: 'GET',
  path: retainedDataUrl('{id}'),
  title: 'Show the data that remains after the identity of an employee is erased, and the rule for each',
  allow: HR_ROLES,
  handle: async (c) => {
    const id = await c.engine.idOf(employee, c.actor, c.params.id)
    await c.engine.oneAsListed(employee, c.me, id)
    const { clientId } = c.me
    const row = await c.engine.readIn(clientId, 'read the retained data of an employee', (reader) =>
      reader.get(employee, id),
    )
    if (!row) throw problem.notFound()
    const today = londonDate(c.now).toString()
    const report = await c.engine.db.tx({ clientId }, (tx) => readErasureReport(tx, clientId, row, today))
    return { '@id': retainedDataUrl(id), '@type': 'RetainedData', ...report }
  },
}

export const erasure = feature({ pack: 'employees', routes: [reportRoute] })
