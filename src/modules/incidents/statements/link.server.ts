import { Problem, problem, violation } from '#kernel/errors.ts'
import { longText } from '#kernel/fields.ts'
import { createBearerActor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { client } from '#modules/portal/clients/client.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { openSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { logIncidentEvent } from '../history.server.ts'
import { type IncidentPerson, incidentPerson } from '../people/incident-person.ts'
import { incidentStatementRequest, type LinkedStatement, type StatementRequest } from '../people/statement-request.ts'
import { formatClosedLinkSentence, statementProblem, witnessPlace } from '../people/statement-rules.ts'
import { incidentEvidence } from '../reports/evidence.ts'
import { type IncidentReport, incidentReport } from '../reports/incident-report.ts'
import { incidentPath } from '../reports/paths.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'
import {
  markStatementRequestEmailed,
  statementRequestBehaviour,
  statementRequestEmail,
  statementSecretLink,
} from './request.server.ts'

const AT = '/api/safety/linked_statements/{token}'

/** Author of a statement by link. It contains a space, which no username can. */
const WITNESS = 'by link'

/**
 * Maximum number of characters that are read. Up to this limit, the response states the maximum length of a statement
 * in words.
 */
const MAX_BODY_CHARACTERS = 1_000_000

interface FollowedLink {
  readonly clientId: number
  readonly company: string
  readonly request: StatementRequest
  readonly person: IncidentPerson
  readonly report: IncidentReport
  readonly site: string | undefined
  /** Reason why the link no longer shows anything; empty otherwise. */
  readonly sentence: string
}

/** Resolves a link. Throws 404, without details, if the link is unknown or its company has left. */
const resolveLink = (engine: Engine, token: string | undefined): Promise<FollowedLink> =>
  openSecretLink(engine, token, 'open the link of a witness', async (c, { clientId, id, hasHash }) => {
    const [request, ours] = [await c.get(incidentStatementRequest, id), await c.get(client, clientId)]
    if (!request?.hashes.some(hasHash) || !ours || ours.retired) return undefined
    const [person, report] = [await c.get(incidentPerson, request.person), await c.get(incidentReport, request.report)]
    if (!person || !report) return undefined
    const { company } = ours
    const isActive = (await findPackState(c, clientId, 'safety')) === 'active'
    const today = londonDate(engine.clock.now()).toString()
    const sentence = isActive
      ? formatClosedLinkSentence({ request, person, report, company, today })
      : `${company} can’t receive statements through this link at the moment. Please contact ${company} directly.`
    const site = report.site === null ? undefined : (await c.get(incidentSite, report.site))?.name
    return { clientId, company, request, person, report, site, sentence }
  })

async function readLinkedStatement(engine: Engine, token: string | undefined): Promise<LinkedStatement> {
  const { clientId, company, request, person, report, site, sentence } = await resolveLink(engine, token)
  const at = AT.replace('{token}', token ?? '')
  const about = {
    '@id': at,
    '@type': 'LinkedStatement' as const,
    company,
    logo: (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null,
    sentence,
  }
  if (sentence) return about
  const day = report.datetime ? londonDate(Temporal.Instant.from(report.datetime)).toString() : ''
  return {
    ...about,
    incident: { place: witnessPlace(report, site), day },
    until: request.until,
    ...(request.receivedAt ? { received: { statement: person.statement, at: request.receivedAt } } : {}),
  }
}

/** Runs an operation in the company's tenant as the witness who holds a link. */
function runAsWitness<T>(
  c: RouteContext,
  { clientId, request }: FollowedLink,
  act: Parameters<typeof c.engine.inTenant<T>>[2],
) {
  const witness = createBearerActor(clientId, { username: WITNESS, name: 'Witness by link' }, [
    { type: incidentStatementRequest.type, id: request.id, verbs: ['read'] },
  ])
  const change = { actor: witness, requestId: c.request.id, resource: incidentStatementRequest, id: request.id }
  return c.engine.inTenant(clientId, change, act)
}

/** Resolves the link of a request. Throws 410 with the reason if the link no longer shows anything. */
async function resolveOpenLink(c: RouteContext): Promise<FollowedLink> {
  const followed = await resolveLink(c.engine, c.params.token)
  if (followed.sentence) throw new Problem(410, followed.sentence)
  return followed
}

/** Stores a witness's statement. Sending the same statement again has no effect. Throws 410 if the link is closed. */
async function receiveStatement(c: Context, { company, ...followed }: FollowedLink, statement: string): Promise<void> {
  const report = await c.lock(incidentReport, followed.report.id)
  const request = await c.lock(incidentStatementRequest, followed.request.id)
  const person = await c.lock(incidentPerson, followed.person.id)
  const today = londonDate(c.now).toString()
  const closed = formatClosedLinkSentence({ request, person, report, company, today })
  if (closed) throw new Problem(410, closed)
  if (request.state === 'received') {
    if (person.statement === statement) return
    throw new Problem(410, `${company} has already received your statement, which can no longer be changed.`)
  }
  // Whole seconds, as in the API: the rows of an incident are written back with each change.
  const at = c.now.round({ smallestUnit: 'second', roundingMode: 'trunc' }).toString()
  // The person who reported the incident doesn't read the statement.
  await c.set(incidentPerson, person, { statement, statementReceivedAt: at, detailsBy: null }, 'receive')
  await c.set(incidentStatementRequest, request, { state: 'received', receivedAt: at }, 'receive')
  await logIncidentEvent(c, report.id, 'Statement of a witness received by link')
  await sealEvent(c, incidentEvidence, { event: 'statement received', id: report.id })
  const [requester] = await c.find(user, { username: request.author ?? '', isRetired: false })
  if (requester) await notifyUsers(c, statementReceivedNotice, [{ to: requester.id, about: report.id, since: at }])
}

/** Notification: a witness has given a statement by link. It names nobody. */
const statementReceivedNotice = declareNotificationType({
  kind: 'incident.statement',
  label: 'Statements of witnesses that I requested by link',
  for: INCIDENT_READER_ROLE,
  icon: 'alert',
  of: incidentReport,
  words: ({ number }) => `A witness has given a statement for incident ${number}`,
  path: ({ id }) => incidentPath(id),
  mail: true,
})

const witnessRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: AT,
    title: 'Get the place, the day and the own words of a witness behind a link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await readLinkedStatement(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: `${AT}/opened`,
    title: 'Record that a witness has opened the link',
    allow: 'anonymous',
    refuses: [410],
    handle: async (c) => {
      const followed = await resolveOpenLink(c)
      if (followed.request.openedAt) return {}
      return runAsWitness(c, followed, async (unit) => {
        const row = await unit.lock(incidentStatementRequest, followed.request.id)
        if (!row.openedAt) await unit.set(incidentStatementRequest, row, { openedAt: unit.now.toString() }, 'open')
        return () => ({})
      })
    },
  },
  routeWithInput(
    { statement: longText({ default: '', max: MAX_BODY_CHARACTERS, label: 'Statement' }) },
    {
      method: 'POST',
      path: `${AT}/statement`,
      title: 'Give a statement by link. The same statement sent again is received once',
      allow: 'anonymous',
      refuses: [403, 410, 422],
      handle: async (c) => {
        const followed = await resolveOpenLink(c)
        const { statement } = c.input
        const wrong = statementProblem(statement)
        if (wrong) throw problem.invalid([violation('statement', wrong)])
        return runAsWitness(c, followed, async (unit) => {
          await receiveStatement(unit, followed, statement)
          return async () => ({ ...(await readLinkedStatement(c.engine, c.params.token)) })
        })
      },
    },
  ),
  linkLogoRoute(AT, 'that asks for a statement', resolveLink),
]

/** Statements of witnesses without an account, by secret link. */
export const incidentStatements = feature({
  pack: 'safety',
  resources: [incidentStatementRequest],
  behaviours: [statementRequestBehaviour],
  routes: witnessRoutes,
  links: [statementSecretLink],
  handlers: [markStatementRequestEmailed],
  notifications: [statementReceivedNotice],
  emails: [statementRequestEmail],
})
