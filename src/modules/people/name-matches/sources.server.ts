import { problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { correctiveAction, isOpenActionState } from '#modules/actions/corrective-action.ts'
import { document } from '#modules/documents/types/document.ts'
import { incidentPerson } from '#modules/incidents/people/incident-person.ts'
import { incidentReport } from '#modules/incidents/reports/incident-report.ts'
import { riskItem } from '#modules/safety/risk/risk-assessment.ts'
import { talkAttendance, talkAttendee } from '#modules/safety/talks/toolbox-talk.ts'
import type { Context } from '#server/engine/types.ts'
import { documents } from './document-source.server.ts'
import type { NameSource } from './name-match.ts'
import { REASON, recordChanged, type Source } from './name-source.server.ts'

/** Throws 409 unless the assessment is a draft, whose lines can change. */
async function lockDraft(c: Context, id: number): Promise<void> {
  const [draft] = await c.withoutPermissionCheck(REASON).lockAll(document, { id, state: 'draft', retired: false })
  if (!draft) throw problem.conflict('This assessment is no longer a draft, so its names stay as they are.')
}

const assessments: Source = {
  names: `SELECT DISTINCT d.id::int AS "row", concat_ws(' ', d.number, d.title) AS record, r.responsible AS name
    FROM risk_item r JOIN document d ON d.client_id = r.client_id AND d.id = r.document_id
    WHERE r.client_id = $1 AND d.state = 'draft' AND NOT d.retired AND NOT d.is_template AND NOT r.retired
      AND r.responsibility = 0 AND r.responsible ~ '\\S'`,
  link: async (c, { row, name }, responsibility) => {
    await lockDraft(c, row)
    const right = c.withoutPermissionCheck(REASON)
    const lines = (await right.find(riskItem, { document: row, responsibility: 0, retired: false })).filter(
      (line) => line.responsible === name,
    )
    if (!lines.length) throw recordChanged()
    for (const line of lines) await right.change(riskItem, line, { responsibility })
    return lines.map(({ id }) => id)
  },
  unlink: async (c, row, linked, responsibility) => {
    await lockDraft(c, row)
    const right = c.withoutPermissionCheck(REASON)
    for (const line of await right.find(riskItem, { id: linked.map(Number), responsibility }))
      await right.change(riskItem, line, { responsibility: 0 })
  },
}

/** An action is linked without its owner's account, so that its text and its recipient stay as they were entered. */
const actions: Source = {
  names: `SELECT a.id::int AS "row", a.number AS record, a.manager_name AS name FROM corrective_action a
    WHERE a.client_id = $1 AND a.state IN ('open', 'started', 'waiting') AND NOT a.retired
      AND a.employee_id IS NULL AND a.owner_id IS NULL AND a.manager_name ~ '\\S'`,
  link: async (c, { row, name }, employee) => {
    const action = await lockOpenAction(c, row)
    if (action.employee !== null || action.owner !== null || action.managerName !== name) throw recordChanged()
    await c.withoutPermissionCheck(REASON).set(correctiveAction, action, { employee }, 'link name')
    return [row]
  },
  unlink: async (c, row, _linked, employee) => {
    const action = await lockOpenAction(c, row)
    if (action.employee === employee)
      await c.withoutPermissionCheck(REASON).set(correctiveAction, action, { employee: null }, 'unlink name')
  },
}

async function lockOpenAction(c: Context, id: number) {
  const action = await c.withoutPermissionCheck(REASON).lock(correctiveAction, id)
  if (action.retired || !isOpenActionState(action.state))
    throw problem.conflict('This action is closed, so its names stay as they are.')
  return action
}

const attendees: Source = {
  names: `SELECT a.id::int AS "row", concat_ws(', ', p.title, to_char(p.date, 'DD/MM/YYYY')) AS record, a.name
    FROM talk_attendee a JOIN talk_presented p ON p.client_id = a.client_id AND p.id = a.presented_id
    WHERE a.client_id = $1 AND NOT p.complete AND NOT p.retired AND a.signed_at IS NULL AND a.user_id IS NULL
      AND a.employee_id IS NULL AND a.name ~ '\\S'`,
  link: async (c, { row, name }, employee) => {
    await changeAttendee(c, row, { employee }, (one) => one.employee === null && one.user === null && one.name === name)
    return [row]
  },
  unlink: (c, row, _linked, employee) =>
    changeAttendee(c, row, { employee: null }, (one) => one.employee === employee && one.user === null),
}

type Attendee = RowOf<typeof talkAttendee>

async function changeAttendee(
  c: Context,
  id: number,
  values: { readonly employee: number | null },
  isAsExpected: (one: Attendee) => boolean,
): Promise<void> {
  const right = c.withoutPermissionCheck(REASON)
  const listed = await right.get(talkAttendee, id)
  if (!listed) throw recordChanged()
  const record = await right.lock(talkAttendance, listed.presented)
  const one = await right.lock(talkAttendee, id)
  if (record.complete || record.retired || one.signedAt)
    throw problem.conflict('This person has signed, or the record is closed, so the name stays as it is.')
  if (!isAsExpected(one)) throw recordChanged()
  await right.set(talkAttendee, one, values, 'link name')
}

/** Injured parties are changed through their incident, which seals the change. */
const incidents: Source = {
  isPast: true,
  names: `SELECT p.id::int AS "row", coalesce(nullif(i.number, ''), 'Draft of an incident') AS record, p.name
    FROM incident_person p JOIN incident_report i ON i.client_id = p.client_id AND i.id = p.report_id
    WHERE p.client_id = $1 AND p.record_type = 'IP' AND NOT p.retired AND p.employee_id IS NULL AND p.name ~ '\\S'
      AND NOT i.retired AND i.state <> 'closed'`,
  link: async (c, { row, name }, employee) => {
    await changePerson(c, row, { employee }, (person) => person.employee === null && person.name === name)
    return [row]
  },
  unlink: (c, row, _linked, employee) =>
    changePerson(c, row, { employee: null }, (person) => person.employee === employee),
}

async function changePerson(
  c: Context,
  id: number,
  values: { readonly employee: number | null },
  isAsExpected: (person: { readonly employee: number | null; readonly name: string | null }) => boolean,
): Promise<void> {
  const right = c.withoutPermissionCheck(REASON)
  const person = await right.get(incidentPerson, id)
  if (!person || !isAsExpected(person)) throw recordChanged()
  const report = await right.lock(incidentReport, person.report)
  if (report.state === 'closed' || report.retired)
    throw problem.conflict('This incident is closed, so its names stay as they are.')
  const personnel = report.personnel.map((one) => (one.id === id ? { ...one, ...values } : one))
  await right.change(incidentReport, report, { personnel })
}

export const SOURCES: Readonly<Record<NameSource, Source>> = {
  assessment: assessments,
  document: documents,
  action: actions,
  attendee: attendees,
  incident: incidents,
}
