import { create as disposition } from 'content-disposition'
import { can } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import { parseId } from '#kernel/iri.ts'
import { iriOf, type RecordOf, type Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { createSystemActor, hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { correctiveAction } from '#modules/actions/corrective-action.ts'
import { readUserNames } from '#modules/identity/people/accounts.server.ts'
import { readPictures } from '#modules/portal/files/versions.server.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { type PdfPicture, renderControlledDocument } from '#server/pdf/furniture.ts'
import { incidentFacts } from '../incident-facts.ts'
import { lookups } from '../lookups/lookup.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { incidentFile } from '../reports/incident-file.ts'
import { incidentAmendment, incidentEvent, incidentOccurrence, incidentReport } from '../reports/incident-report.ts'
import { hseReport, riddorDecision } from '../reports/riddor-decision.ts'
import type { SheetSection } from '../riddor/sheet.ts'
import { INCIDENT_BOOK_ROLES, INCIDENT_READER_ROLE, INCIDENT_REPORTER_ROLES, reporterId } from '../rights.ts'
import { incidentPrint, PRINT_FORMS, type PrintForm } from './incident-print.ts'
import { describePrintStatus } from './print-values.ts'
import { type AccidentRecord, buildAccidentRecordSections } from './record-sections.ts'
import { findOrStorePrint } from './stored-print.server.ts'
import { buildSummarySections, SUMMARY_NOTICE } from './summary-sections.ts'

type Reading = Pick<RouteContext, 'engine' | 'me' | 'params'>
type Facts = RecordOf<typeof incidentFacts>

/** Maximum number of rows of one kind that are printed for an incident. */
const MAX_ROWS = 5000

const readAll = async <R extends Resource>(engine: Engine, r: R, actor: Actor, query: RequestQuery) =>
  (await engine.list(r, actor, query, { limit: MAX_ROWS, offset: 0 }, { count: false })).members

/** Reads an incident without confidential fields. Throws 404 if the actor may not see it, and 409 for a draft. */
async function findPrintable({ engine, me, params }: Reading): Promise<Facts> {
  const id = parseId(params.id)
  const [facts] = id === undefined ? [] : await readAll(engine, incidentFacts, me, { id: String(id) })
  if (!facts) throw problem.notFound()
  if (facts.state === 'draft') throw problem.conflict('This incident is a draft. Report it first.')
  return facts
}

/**
 * Throws 403 unless the actor may read all health details of an incident: by role, or as the reporter or an injured
 * person if the incident has no details about other people and, for the reporter, none entered by others.
 */
async function requireAllDetails({ engine, me }: Reading, { id }: Facts): Promise<void> {
  if (hasRole(me, INCIDENT_READER_ROLE)) return
  const own = reporterId(me)
  const isOwn = await engine.readIn(me.clientId, 'check who may print an accident record', async (c) => {
    const report = await c.get(incidentReport, id)
    const people = await c.find(incidentPerson, { report: id, retired: false })
    const isReporter = report?.reporter === own
    const isNamed = people.some(({ user }) => user === own)
    const hasOthers = people.some(({ user, detailsBy }) => user !== own && detailsBy !== own)
    return (
      own !== null && (isReporter || isNamed) && !hasOthers && (report?.disease === null || report?.diseaseBy === own)
    )
  })
  if (!isOwn)
    throw problem.forbidden(
      'The accident record contains health details that are not available to you. The anonymous summary is.',
    )
}

/** Reads everything about an incident that the actor may see. Each read of confidential fields is logged. */
async function readAccidentRecord(
  { engine, me }: Reading,
  { id }: Facts,
): Promise<AccidentRecord & { readonly pictures: readonly PdfPicture[] }> {
  const report = await engine.one(incidentReport, me, id)
  const query = { report: iriOf(incidentReport, id) }
  const isBookReader = hasRole(me, INCIDENT_BOOK_ROLES)
  const ofBook = async <R extends Resource>(r: R) => (isBookReader ? readAll(engine, r, me, query) : [])
  const [amendments, events, listed, sent] = await Promise.all([
    ofBook(incidentAmendment),
    ofBook(incidentEvent),
    ofBook(riddorDecision),
    ofBook(hseReport),
  ])
  const isReader = hasRole(me, INCIDENT_READER_ROLE)
  const decisions = isReader ? await Promise.all(listed.map((one) => engine.one(riddorDecision, me, one.id))) : listed
  const actions = can(me, 'read', correctiveAction)
    ? await readAll(engine, correctiveAction, me, { source: report['@id'], retired: 'false' })
    : undefined
  const files = (await readAll(engine, incidentFile, me, query)).filter(({ retired }) => !retired)
  const { effects, keys } = await engine.readIn(me.clientId, 'read the pictures of an incident', async (c) => ({
    effects: await c.find(lookups.injuryEffects, {}),
    keys: await c.find(incidentFile, { id: files.map((file) => file.id) }),
  }))
  const pictures = await readPictures(
    engine,
    keys.flatMap(({ id: file, viewKey, name }) => (viewKey ? [{ id: file, key: viewKey, caption: name }] : [])),
  )
  const usernames = [report, ...amendments, ...events, ...decisions, ...sent, ...files].flatMap(
    ({ author }) => author ?? [],
  )
  const closers = (actions ?? []).flatMap(({ completedBy, verifiedBy }) => [completedBy ?? [], verifiedBy ?? []].flat())
  const names = await readUserNames(engine, me.clientId, [...new Set([...usernames, ...closers])])
  return {
    report,
    amendments,
    events,
    decisions,
    sent,
    actions,
    files,
    effects: new Map(effects.map(({ id: effect, description }) => [effect, description])),
    isBookReader,
    today: londonDate(report.closedAt ? Temporal.Instant.from(report.closedAt) : engine.clock.now()).toString(),
    nameOf: (username) => names.get(username ?? '') ?? username ?? '',
    pictures: pictures.map(({ base64, caption }) => ({ base64, alt: caption, caption })),
  }
}

/**
 * Reads an incident for its anonymous summary. Lists omit confidential fields, so that the summary contains none and is
 * the same for every reader.
 */
async function readSummary({ engine, me }: Reading, report: Facts): Promise<SheetSection[]> {
  const portal = createSystemActor(me.clientId, 'print an anonymous summary')
  const query = { report: iriOf(incidentReport, report.id), retired: 'false' }
  const [people, occurrences, actions] = await Promise.all([
    readAll(engine, incidentPerson, portal, query),
    readAll(engine, incidentOccurrence, portal, query),
    readAll(engine, correctiveAction, portal, { source: iriOf(incidentReport, report.id), retired: 'false' }),
  ])
  return buildSummarySections({ report, people, occurrences, actions })
}

interface PrintedPart {
  readonly form: PrintForm
  /** Sentence at the foot of each page about the confidentiality of the print. */
  readonly sort: string
  readonly notices: readonly string[]
  readonly sections: readonly SheetSection[]
  readonly pictures: readonly PdfPicture[]
  /** True if the print shows everything, so that it is stored once the incident is closed. */
  readonly isComplete: boolean
}

/** Returns a PDF of an incident. The PDF of a closed incident is stored, and reused until its contents change. */
async function printIncident(
  { engine, me, now }: Pick<RouteContext, 'engine' | 'me' | 'now'>,
  facts: Facts,
  { form, isComplete, ...part }: PrintedPart,
): Promise<RouteResponse> {
  const kindName = PRINT_FORMS.find(({ value }) => value === form)?.label ?? ''
  const { clientId } = me
  const letterhead = await readLetterhead(engine, clientId)
  const { notices: ofStatus, ...status } = describePrintStatus(facts)
  const isStored = isComplete && status.final
  const contents = { ...status, ...part, notices: [...ofStatus, ...part.notices] }
  const render = async () =>
    renderControlledDocument({
      template: new URL('./incident-print.typ', import.meta.url),
      client: clientId,
      furniture: {
        number: facts.number,
        revision: 1,
        state: 'current',
        kindName,
        title: `${kindName} of ${facts.number}`,
        client: { ...letterhead.client, logo: await readLogo(engine, letterhead) },
        brand: letterhead.brand,
        author: isStored || form === 'summary' ? '' : me.name,
        createdOn: now.toString(),
        signatures: [],
        history: [],
      },
      body: { ...contents, printed: isStored ? 'Stored' : 'Printed' },
    })
  const key = { clientId, report: facts.id, form }
  const pdf = isStored ? await findOrStorePrint(engine, key, { contents, letterhead }, render) : await render()
  return new RouteResponse(200, pdf, {
    'content-type': 'application/pdf',
    'content-disposition': disposition(`${facts.number} ${kindName.toLowerCase()}.pdf`, { type: 'inline' }),
    'cache-control': 'private, no-store',
  })
}

const printRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${incidentReport.url}/{id}/accident-record.pdf`,
    title: 'Get the accident record of an incident, with all health details, as a PDF file',
    allow: INCIDENT_REPORTER_ROLES,
    refuses: [409],
    file: ['application/pdf'],
    handle: async (c) => {
      const facts = await findPrintable(c)
      await requireAllDetails(c, facts)
      const { pictures, ...record } = await readAccidentRecord(c, facts)
      return printIncident(c, facts, {
        form: 'record',
        sort: 'Confidential: health details',
        notices: [],
        sections: buildAccidentRecordSections(record),
        pictures,
        isComplete: hasRole(c.me, INCIDENT_READER_ROLE) && record.actions !== undefined,
      })
    },
  },
  {
    method: 'GET',
    path: `${incidentReport.url}/{id}/summary.pdf`,
    title: 'Get an anonymous summary of an incident as a PDF file',
    allow: INCIDENT_REPORTER_ROLES,
    refuses: [409],
    file: ['application/pdf'],
    handle: async (c) => {
      const facts = await findPrintable(c)
      return printIncident(c, facts, {
        form: 'summary',
        sort: 'Without names and health details',
        notices: [SUMMARY_NOTICE],
        sections: await readSummary(c, facts),
        pictures: [],
        isComplete: true,
      })
    },
  },
]

export const incidentPrints = feature({ pack: 'safety', resources: [incidentPrint], routes: printRoutes })
