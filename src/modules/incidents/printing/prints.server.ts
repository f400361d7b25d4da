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
import { printStatus } from './print-values.ts'
import { type AccidentRecord, accidentRecordSections } from './record-sections.ts'
import { SUMMARY_NOTICE, summarySections } from './summary-sections.ts'

type Reading = Pick<RouteContext, 'engine' | 'me' | 'params'>
type Facts = RecordOf<typeof incidentFacts>

/** Most rows of one kind that an incident prints. */
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
 * person if there are no details of others.
 */
async function requireAllDetails({ engine, me }: Reading, { id }: Facts): Promise<void> {
  if (hasRole(me, INCIDENT_READER_ROLE)) return
  const own = reporterId(me)
  const isOwn = await engine.readIn(me.clientId, 'check who may print an accident record', async (c) => {
    const report = await c.get(incidentReport, id)
    const people = await c.find(incidentPerson, { report: id, retired: false })
    const isReporter = report?.reporter === own
    const isNamed = people.some(({ user }) => user === own)
    const hasOthers = people.some(({ user, reporter }) => user !== own && reporter !== own)
    return own !== null && (isReporter || isNamed) && !hasOthers && (isReporter || report?.disease === null)
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
  const decisions = await Promise.all(listed.map((one) => (isReader ? engine.one(riddorDecision, me, one.id) : one)))
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
    today: londonDate(engine.clock.now()).toString(),
    nameOf: (username) => names.get(username ?? '') ?? username ?? '',
    pictures: pictures.map(({ base64, caption }) => ({ base64, alt: caption, caption })),
  }
}

/**
 * Reads an incident for its anonymous summary. Lists omit confidential fields, so that the summary contains none,
 * whoever prints it.
 */
async function readSummary({ engine, me }: Reading, report: Facts): Promise<SheetSection[]> {
  const portal = createSystemActor(me.clientId, 'print an anonymous summary')
  const query = { report: iriOf(incidentReport, report.id), retired: 'false' }
  const [people, occurrences, actions] = await Promise.all([
    readAll(engine, incidentPerson, portal, query),
    readAll(engine, incidentOccurrence, portal, query),
    readAll(engine, correctiveAction, portal, { source: iriOf(incidentReport, report.id), retired: 'false' }),
  ])
  return summarySections({ report, people, occurrences, actions })
}

interface PrintedPart {
  readonly kindName: string
  /** Sentence at the foot of each page about the confidentiality of the print. */
  readonly sort: string
  readonly author: string
  readonly notices: readonly string[]
  readonly sections: readonly SheetSection[]
  readonly pictures: readonly PdfPicture[]
}

async function renderIncident(
  { engine, me, now }: Pick<RouteContext, 'engine' | 'me' | 'now'>,
  facts: Facts,
  { kindName, sort, author, notices, sections, pictures }: PrintedPart,
): Promise<RouteResponse> {
  const letterhead = await readLetterhead(engine, me.clientId)
  const logo = await readLogo(engine, letterhead)
  const { notices: ofStatus, ...status } = printStatus(facts)
  const pdf = await renderControlledDocument({
    template: new URL('./incident-print.typ', import.meta.url),
    client: me.clientId,
    furniture: {
      number: facts.number,
      revision: 1,
      state: 'current',
      kindName,
      title: `${kindName} of ${facts.number}`,
      client: { ...letterhead.client, logo },
      brand: letterhead.brand,
      author,
      createdOn: now.toString(),
      signatures: [],
      history: [],
    },
    body: { ...status, printed: 'Printed', sort, notices: [...ofStatus, ...notices], sections, pictures },
  })
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
      return renderIncident(c, facts, {
        kindName: 'Accident record',
        sort: 'Confidential: health details',
        author: c.me.name,
        notices: [],
        sections: accidentRecordSections(record),
        pictures,
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
      return renderIncident(c, facts, {
        kindName: 'Anonymous summary',
        sort: 'Without names and health details',
        author: '',
        notices: [SUMMARY_NOTICE],
        sections: await readSummary(c, facts),
        pictures: [],
      })
    },
  },
]

export const incidentPrints = feature({ pack: 'safety', routes: printRoutes })
