import { Problem, problem, violation } from '#kernel/errors.ts'
import { decimal, flag, instant, longText, strings, text } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { createBearerActor } from '#kernel/roles.ts'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { countLinkAttempt } from '#modules/documents/sharing/link-attempts.server.ts'
import { posterLinkRoutes } from '#modules/documents/signing-links/poster-routes.server.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { client } from '#modules/portal/clients/client.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { AttemptTooEarlyProblem, countAttempt, networkForAddress } from '#server/auth/attempts.ts'
import type { Tx } from '#server/db/db.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { openSecretLink } from '#server/engine/secret-links.ts'
import { readAcrossClients } from '#server/engine/tenant.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { digestSubject } from '#server/evidence/link.ts'
import { incidentFacts } from '../incident-facts.ts'
import { HARM_ANSWERS, injuredProblem, toInjuredPeople } from '../phone/harm-answers.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { SITE_REPORT_PATH } from '../reports/paths.ts'
import { readRequiredAnswers } from '../settings/settings.server.ts'
import {
  incidentSiteLink,
  MAX_DAILY_SITE_REPORTS,
  MAX_HOURLY_NETWORK_REPORTS,
  type SharedSite,
  SITE_LINK_DAYS,
  type SiteReportReceipt,
} from './site-link.ts'

const AT = '/api/safety/shared_sites/{token}'

interface FollowedSiteLink {
  readonly clientId: number
  readonly company: string
  readonly link: RowOf<typeof incidentSiteLink>
  readonly site: RowOf<typeof incidentSite>
  /** Reason why nothing can be reported with the link; empty if it can. */
  readonly sentence: string
}

const closedSentence = (company: string): string =>
  `This QR code no longer works. Please tell somebody at ${company} what happened.`

/** Resolves a link. Throws 404, without details, if the link is unknown or its company has left. */
const resolveSiteLink = (engine: Engine, token: string | undefined): Promise<FollowedSiteLink> =>
  openSecretLink(engine, token, 'open the link of a site', async (c, { clientId, id, hasHash }) => {
    const link = await c.get(incidentSiteLink, id)
    if (!link || !hasHash(link.hash)) return undefined
    const [site, ours] = [await c.get(incidentSite, link.site), await c.get(client, clientId)]
    if (!site || !ours || ours.retired) return undefined
    const isActive = (await findPackState(c, clientId, 'safety')) === 'active'
    const isOver = link.withdrawnAt !== null || link.until < londonDate(engine.clock.now()).toString()
    const sentence = isOver || site.retired || !isActive ? closedSentence(ours.company) : ''
    return { clientId, company: ours.company, link, site, sentence }
  })

const TODAYS_REPORTS = `SELECT count(*)::int AS reports FROM incident_report
  WHERE client_id = $1 AND site_id = $2 AND by_link AND created_at >= $3`

/** Returns the message that the site has reached its daily limit of reports; an empty string if it has not. */
async function findDailyLimitSentence(tx: Tx, { clientId, company, site }: FollowedSiteLink, now: Temporal.Instant) {
  const start = londonDate(now).toZonedDateTime(LONDON_TIME_ZONE).toInstant()
  const [found] = await tx.rows<{ reports: number }>(TODAYS_REPORTS, [clientId, site.id, start.toString()])
  return (found?.reports ?? 0) < MAX_DAILY_SITE_REPORTS
    ? ''
    : `This site has received ${MAX_DAILY_SITE_REPORTS} reports by QR code today, which is the most for one day. Please tell somebody at ${company} what happened.`
}

/** Limit on reports for a site from one network in an hour, so that one visitor can’t use up the day's reports. */
const FROM_NETWORK = { free: MAX_HOURLY_NETWORK_REPORTS, most: MAX_HOURLY_NETWORK_REPORTS, minutes: 60 }

/** Counts a report that is about to be stored. Throws 429 if the network has reached its hourly limit. */
async function countReportOfNetwork(c: Context, { clientId, company, site }: FollowedSiteLink, address: string) {
  const key = `site-report:${clientId}-${site.id} from ${networkForAddress(address)}`
  await readAcrossClients(c, (tx) => countAttempt(tx, [{ key, pace: FROM_NETWORK }])).catch((e: unknown) => {
    if (!(e instanceof AttemptTooEarlyProblem)) throw e
    const sentence = `${MAX_HOURLY_NETWORK_REPORTS} reports have been sent from your network in the last hour, which is the most. Please tell somebody at ${company} what happened.`
    throw new Problem(429, sentence, { headers: e.headers })
  })
}

/** Author of reports by QR code. It contains a space, which no username can. */
const HOLDER = 'by QR code'

const REPORT = {
  key: text({
    required: true,
    max: 64,
    help: 'ID made on the device. A report repeated with the same ID is received once.',
  }),
  formRequired: strings({ help: 'Further answers on which the page insisted.' }),
  nearMiss: flag(),
  description: longText({ required: 'Field required, please enter text', max: 4000 }),
  datetime: instant({ required: 'Date Required, Please select a date' }),
  internalLocation: text({ default: '', max: 255 }),
  latitude: decimal({ min: -90, max: 90 }),
  longitude: decimal({ min: -180, max: 180 }),
  reportedBy: text({ required: 'Please enter your name', max: 200, stripInvisible: true }),
  contact: text({ default: '', max: 255, label: 'E-mail address or telephone number' }),
  severity: text({ default: '', max: 10, help: 'none, minor, serious, major or fatal' }),
  injured: longText({ default: '', max: 2000, help: 'Names or descriptions of the injured people, one on each line.' }),
} as const

type SiteReportInput = { readonly [N in keyof typeof REPORT]?: unknown }

/** Query for a site's report that was sent with a key: the key's digest, then the digest of the report's content. */
const RECEIVED = `SELECT id::int FROM incident_report
  WHERE client_id = $1 AND site_id = $2 AND by_link AND starts_with(device_key, $3)`

const SHORT_DIGEST_CHARACTERS = 24
const shortDigest = (value: object): string => digestSubject(value).slice(0, SHORT_DIGEST_CHARACTERS)

/** Stores a report by QR code. A repeated report returns the receipt of the first. */
async function saveSiteReport(
  c: Context,
  followed: FollowedSiteLink,
  { input, address }: { readonly input: SiteReportInput; readonly address: string },
): Promise<() => Promise<SiteReportReceipt>> {
  // All links of a site are locked in turn by its row, so that the count of today's reports is exact.
  await c.lock(incidentSite, followed.site.id)
  const link = await c.lock(incidentSiteLink, followed.link.id)
  if (link.withdrawnAt) throw new Problem(410, closedSentence(followed.company))
  const { key, injured, contact, severity, ...report } = input
  const answer = HARM_ANSWERS.find(({ value }) => value === severity)?.value ?? null
  const tooMany = injuredProblem(typeof injured === 'string' ? injured : '')
  const wrong = [
    ...(severity && !answer ? [violation('severity', 'Choose none, minor, serious, major or fatal')] : []),
    ...(tooMany ? [violation('injured', tooMany)] : []),
  ]
  if (wrong.length) throw problem.invalid(wrong)
  const sentKey = `qr-${shortDigest({ link: link.id, key })}`
  const deviceKey = `${sentKey}.${shortDigest(input)}`
  const [earlier] = await c.work.tx.rows<{ id: number }>(RECEIVED, [followed.clientId, followed.site.id, `${sentKey}.`])
  const received = earlier && (await c.get(incidentFacts, earlier.id))
  if (received) {
    if (received.deviceKey !== deviceKey)
      throw problem.conflict('A different report was already sent from this page. Please reload it and report again.')
    return async () => receiptOf(received)
  }
  const full = await findDailyLimitSentence(c.work.tx, followed, c.now)
  if (full) throw problem.conflict(full)
  await countReportOfNetwork(c, followed, address)
  const written = await c.withoutPermissionCheck('a visitor reports an incident by QR code').create(incidentReport, {
    ...report,
    state: 'reported',
    deviceKey,
    site: followed.site.id,
    byLink: true,
    reporterContact: contact,
    ...(answer ? { reportedHarm: answer } : {}),
    personnel: answer === 'none' ? [] : toInjuredPeople(typeof injured === 'string' ? injured : '', answer),
  } as never)
  await c.set(incidentSiteLink, link, { reported: link.reported + 1 }, 'report')
  return async () => receiptOf(await written.saved())
}

const receiptOf = ({ number, reportedAt }: { readonly number: string; readonly reportedAt: string | null }) =>
  ({ '@type': 'SiteReport', number, reportedAt: reportedAt ?? '' }) as const

/** Runs an operation in the company's tenant as the holder of a link. */
function runAsHolder<T>(
  c: RouteContext,
  { clientId, link, site }: FollowedSiteLink,
  act: Parameters<typeof c.engine.inTenant<T>>[2],
) {
  const holder = createBearerActor(clientId, { username: HOLDER, name: `Visitor at ${site.name}` }, [
    { type: incidentSiteLink.type, id: link.id, verbs: ['read'] },
  ])
  return c.engine.inTenant(
    clientId,
    { actor: holder, requestId: c.request.id, resource: incidentSiteLink, id: link.id },
    act,
  )
}

const holderRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: AT,
    title: 'Get the site behind a QR code',
    allow: 'anonymous',
    handle: async (c): Promise<SharedSite & Record<string, unknown>> => {
      const followed = await resolveSiteLink(c.engine, c.params.token)
      const { clientId, company, site } = followed
      const at = AT.replace('{token}', c.params.token ?? '')
      const logo = (await readLetterhead(c.engine, clientId)).client.logo ? `${at}/logo` : null
      const sentence =
        followed.sentence || (await c.engine.db.tx({ clientId }, (tx) => findDailyLimitSentence(tx, followed, c.now)))
      const requiredAnswers = await c.engine.readIn(clientId, 'read the questions of a report', (reader) =>
        readRequiredAnswers(reader, clientId),
      )
      const name = followed.sentence ? '' : site.name
      return { '@id': at, '@type': 'SharedSite', company, logo, sentence, site: name, requiredAnswers }
    },
  },
  {
    method: 'POST',
    path: `${AT}/opened`,
    title: 'Record that the page behind a QR code has been opened',
    allow: 'anonymous',
    refuses: [410],
    handle: async (c) => {
      const followed = await resolveSiteLink(c.engine, c.params.token)
      if (followed.sentence) throw new Problem(410, followed.sentence)
      if (followed.link.opened > 0) return {}
      return runAsHolder(c, followed, async (unit) => {
        const link = await unit.lock(incidentSiteLink, followed.link.id)
        await unit.set(incidentSiteLink, link, { opened: link.opened + 1 }, 'open')
        return () => ({})
      })
    },
  },
  linkLogoRoute(AT, 'at whose site an incident is reported', resolveSiteLink),
  routeWithInput(REPORT, {
    method: 'POST',
    path: `${AT}/reports`,
    title: 'Report an incident at the site behind a QR code. A report repeated with the same key is received once',
    allow: 'anonymous',
    refuses: [403, 409, 410, 422, 429],
    handle: async (c) => {
      const followed = await resolveSiteLink(c.engine, c.params.token)
      if (followed.sentence) throw new Problem(410, followed.sentence)
      if (!c.input.key?.trim()) throw problem.invalid([violation('key', 'Please send the ID of the report')])
      await countLinkAttempt(
        c,
        followed.clientId,
        `site-report:${followed.clientId}-${followed.link.id}`,
        'You are signed in to the portal. Please report it there.',
      )
      return runAsHolder(c, followed, async (unit) => {
        const receipt = await saveSiteReport(unit, followed, { input: c.input, address: c.request.address })
        return async () => ({ ...(await receipt()) })
      })
    },
  }),
]

const managerRoutes = posterLinkRoutes({
  of: incidentSite,
  type: incidentSiteLink.type,
  page: SITE_REPORT_PATH,
  noun: 'site',
  purpose: 'report incidents at a site',
  sealedAs: (id) => `${incidentSiteLink.type} ${id}`,
  check: (_c, { retired }) => {
    if (retired) throw problem.conflict('This site is deleted. Restore it first, then create the link.')
  },
  allow: DOCUMENT_APPROVER_ROLES,
  days: SITE_LINK_DAYS,
  links: async (c, site) =>
    (await c.find(incidentSiteLink, { site })).map((link) => ({ ...link, signed: link.reported })),
  create: async (c, site, link) => {
    await c
      .withoutPermissionCheck('approvers manage the QR codes of sites')
      .create(incidentSiteLink, { site, ...link, createdAt: c.now.toString() })
  },
  withdraw: async (c, site) => {
    for (const link of await c.lockAll(incidentSiteLink, { site }))
      if (!link.withdrawnAt) await c.set(incidentSiteLink, link, { withdrawnAt: c.now.toString() }, 'withdraw')
  },
  poster: ({ name }) => ({
    what: 'Accidents and near misses',
    called: name,
    about: 'If somebody is hurt, call 999 first.',
    invite: 'Scan to report',
    how: 'Report an accident or a near miss on your phone. You don’t need an account.',
  }),
})

export const incidentSiteLinks = feature({
  pack: 'safety',
  resources: [incidentSiteLink],
  routes: [...managerRoutes, ...holderRoutes],
})
