import { create as disposition } from 'content-disposition'
import { problem } from '#kernel/errors.ts'
import { parseId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { formatClientAddress, readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { confidentialField, logConfidentialRead } from '#server/engine/confidential-reads.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { renderControlledDocument } from '#server/pdf/furniture.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { type IncidentPerson, incidentPerson } from '../people/incident-person.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { hseReport, riddorDecision } from '../reports/riddor-decision.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'
import { countIncapacity } from './clocks.ts'
import { readSicknessOfInjured } from './facts.server.ts'
import type { RiddorScreeningResponse } from './response.ts'
import { type RetentionPeriod, retentionOf } from './retention.ts'
import { screenReport } from './screening.server.ts'
import { buildF2508Sheet, type SheetReport } from './sheet.ts'

type Reading = Pick<RouteContext, 'engine' | 'me' | 'params'>

const { periods } = readReferenceFile('retention-periods.json') as { readonly periods: readonly RetentionPeriod[] }

const idIn = ({ params }: Reading): number => {
  const id = parseId(params.id)
  if (id === undefined) throw problem.notFound()
  return id
}

/** Throws 409 for a draft, which has no facts to judge. */
function assertReported({ state }: { readonly state: string }): void {
  if (state === 'draft') throw problem.conflict('This incident is a draft. Report it first.')
}

/** Facts about injured people and parts of decisions that a screening shows or depends on. */
const SHOWN_FACTS = ['severity', 'injurySustained', 'harm', 'diedOn', 'specified', 'absences', 'answers'] as const
const SHOWN_OF_DECISION = ['reason', 'proposal'] as const

const isEntered = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : (value ?? '') !== ''

/** Returns the confidential fields that have a value in a screening. */
const shownFields = (people: readonly IncidentPerson[], decisions: readonly RowOf<typeof riddorDecision>[]) => [
  ...SHOWN_FACTS.flatMap((name) =>
    people.some((person) => isEntered(person[name]))
      ? [confidentialField(`personnel.${name}`, incidentPerson.fields[name])]
      : [],
  ),
  ...SHOWN_OF_DECISION.flatMap((name) =>
    decisions.some((decision) => isEntered(decision[name]))
      ? [confidentialField(`decisions.${name}`, riddorDecision.fields[name])]
      : [],
  ),
]

/** Screens an incident that the actor may read. Logs a read of exactly the details that the screening shows. */
async function readScreening(c: Reading): Promise<RiddorScreeningResponse> {
  const { engine, me } = c
  const { clientId } = me
  const listed = await engine.oneAsListed(incidentReport, me, idIn(c))
  assertReported(listed)
  const { id, number: title } = listed
  const { response, fields } = await computeScreening(c, id)
  if (fields.length)
    await engine.db.tx({ clientId }, (tx) =>
      logConfidentialRead(tx, me, { clientId, resource: incidentReport, id, title, fields }),
    )
  return response
}

async function computeScreening({ engine, me }: Reading, id: number) {
  const today = londonDate(engine.clock.now()).toString()
  return engine.readIn(me.clientId, 'screen an incident under RIDDOR', async (records) => {
    const row = await records.get(incidentReport, id)
    if (!row) throw problem.notFound()
    const { facts, screening, clock, fingerprint } = await screenReport(records, row, today)
    const decisions = await records.find(riddorDecision, { report: id })
    const sent = await records.find(hseReport, { report: id })
    const people = await records.find(incidentPerson, { report: id, recordType: 'IP', retired: false })
    const sickness = await readSicknessOfInjured(records, me.clientId, people, facts.day)
    const recorded = londonDate(Temporal.Instant.from(row.reportedAt ?? row.createdAt)).toString()
    const recordedOn = [recorded, ...sent.map(({ sentOn }) => sentOn)].sort().at(-1) ?? recorded
    const response: RiddorScreeningResponse = {
      '@type': 'RiddorScreening',
      ...screening,
      fingerprint,
      clock: clock ?? null,
      today,
      absences: facts.people.map(({ id: person, absences }) => ({
        person,
        ...countIncapacity(absences ?? [], facts.day, today),
        sickness: sickness.get(person) ?? [],
      })),
      decisions: decisions.map(({ id, decision, reason, reportBy, proposal, author, createdAt }) => ({
        id,
        decision,
        reason,
        reportBy,
        proposal,
        author,
        createdAt,
      })),
      sent: sent.map(({ id, reference, sentOn, reportBy, reason, author, createdAt }) => ({
        id,
        reference,
        sentOn,
        reportBy,
        reason,
        author,
        createdAt,
      })),
      retention: retentionOf(periods, recordedOn, facts.day, people),
    }
    return { response, fields: shownFields(people, decisions) }
  })
}

async function readSheet(c: Reading) {
  const { engine, me } = c
  const report = await engine.one(incidentReport, me, idIn(c))
  assertReported(report)
  const sender = await engine.readIn(me.clientId, 'read the sender of a report to HSE', async (records) => {
    const own = await records.get(client, me.clientId)
    const person = me.userId === undefined ? undefined : await records.get(user, me.userId)
    return {
      name: person?.name ?? '',
      email: person?.email ?? '',
      telephone: person?.telephone ?? '',
      organisation: own?.company ?? '',
      address: own ? formatClientAddress(own) : '',
    }
  })
  return { report, sections: buildF2508Sheet(report as unknown as SheetReport, sender) }
}

const sheetPdfRoute: Route = {
  method: 'GET',
  path: `${incidentReport.url}/{id}/riddor-sheet.pdf`,
  title: 'Get the answers to form F2508 as a PDF file',
  allow: INCIDENT_READER_ROLE,
  refuses: [409],
  file: ['application/pdf'],
  handle: async (c) => {
    const { engine, me, now } = c
    const { report, sections } = await readSheet(c)
    const letterhead = await readLetterhead(engine, me.clientId)
    const logo = await readLogo(engine, letterhead)
    const pdf = await renderControlledDocument({
      template: new URL('./f2508-sheet.typ', import.meta.url),
      client: me.clientId,
      furniture: {
        number: report.number,
        revision: 1,
        state: 'current',
        kindName: 'Copy sheet for form F2508',
        title: `Report of incident ${report.number} to HSE`,
        client: { ...letterhead.client, logo },
        brand: letterhead.brand,
        author: me.name,
        createdOn: now.toString(),
        signatures: [],
        history: [],
      },
      body: {
        sections,
        reference: report.hseReference,
        sentOn: report.hseSentOn ?? '',
        reportBy: report.reportBy ?? '',
      },
    })
    return new RouteResponse(200, pdf, {
      'content-type': 'application/pdf',
      'content-disposition': disposition(`${report.number} F2508.pdf`, { type: 'inline' }),
    })
  },
}

/** The screening of an incident and the answers to form F2508, for readers of health details. */
export const riddorRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${incidentReport.url}/{id}/screening`,
    title: 'Get the screening of an incident under RIDDOR: the proposal, the open questions and the decisions',
    allow: INCIDENT_READER_ROLE,
    refuses: [409],
    handle: async (c) => ({ ...(await readScreening(c)) }),
  },
  {
    method: 'GET',
    path: `${incidentReport.url}/{id}/riddor-sheet`,
    title: 'Get the answers to form F2508, in the order of the form',
    allow: INCIDENT_READER_ROLE,
    refuses: [409],
    handle: async (c) => ({ '@type': 'RiddorSheet', sections: (await readSheet(c)).sections }),
  },
  sheetPdfRoute,
]
