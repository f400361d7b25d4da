import { problem, violation } from '#kernel/errors.ts'
import { choice, text } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { type Actor, createSystemActor, hasRole } from '#kernel/roles.ts'
import { quoteCsvCell } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { defineMailBatchJob, requireMergeableMail } from '#modules/crm/mail/batch.server.ts'
import { readActor } from '#server/auth/read-actor.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { QueryCondition } from '#server/data/values.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { SALES_NAV } from '../nav.ts'
import { MAILING_LIST_ROLES } from '../rights.ts'
import { marketingConsent } from './consent.ts'
import { buildRecipientQuery, dailyEmail } from './daily.ts'
import {
  MAILING_AUDIENCE_URL,
  MAILING_LIST_FORMATS,
  type MailingAudience,
  mailingList,
  mailingListFileUrl,
} from './mailing-list.ts'

/** Condition: the lead has an e-mail address. The field may also be blank, or say that the lead refused to give one. */
const hasAddress: QueryCondition = { sql: () => "t.email LIKE '%_@_%'" }
const hasConsent: QueryCondition = {
  sql: () =>
    'EXISTS (SELECT FROM marketing_consent m WHERE m.client_id = t.client_id AND email_key(m.address) = email_key(t.email) AND NOT m.withdrawn)',
}
/** Condition: the lead's address has no recorded opt-out, bounce or later objection, even if the lead has given consent. */
const isClear: QueryCondition = {
  sql: () =>
    'NOT EXISTS (SELECT FROM email_suppression s WHERE s.client_id = t.client_id AND email_key(s.address) = email_key(t.email) AND NOT s.retired) AND marketing_bar(t.client_id, t.legal_form, t.company_number, t.email) IS NULL',
}
/** Conditions that a lead must meet to receive marketing e-mails. */
const MAY_EMAIL: readonly QueryCondition[] = [hasAddress, hasConsent, isClear]

/**
 * Batch job that sends a daily e-mail to leads who have given consent and have not opted out. Both are checked again
 * before each e-mail is sent.
 */
const dailyEmailJob = defineMailBatchJob({
  kind: 'marketing.daily',
  title: 'Daily e-mail',
  screen: SALES_NAV.daily.path,
  only: MAY_EMAIL,
})

type Daily = RowOf<typeof dailyEmail>

/** Throws 422 if there is already an e-mail on the topic for that day. */
async function mustBeAlone(c: Context, { topic, day }: Pick<Daily, 'topic' | 'day'>, id = 0): Promise<void> {
  const others = await c.find(dailyEmail, { topic, day, state: ['draft', 'planned', 'sent', 'missed'] })
  if (others.some((one) => one.id !== id))
    throw problem.invalid([violation('day', 'There is already a daily e-mail on this topic for that day')])
}

const dailyBehaviour = behaviour(dailyEmail, {
  beforeSave: async (c) => {
    const { before, values } = c
    if (before && before.state !== 'draft')
      throw problem.conflict('Only a draft can be changed. Return a scheduled e-mail to draft first.')
    requireMergeableMail('lead', { subject: values.subject ?? '', body: values.body ?? '' })
    if (values.topic && values.day) await mustBeAlone(c, { topic: values.topic, day: values.day }, before?.id)
    return undefined
  },
  actions: {
    plan: (c) => {
      if (c.row.day < londonDate(c.now).toString())
        throw problem.invalid([violation('day', 'This day has passed. Please choose another day')])
      return { set: { state: 'planned' as const, plannedBy: c.actor.userId, reason: '' } }
    },
  },
})

/**
 * Sends the e-mails scheduled for today. Each is sent with the current rights of the user who scheduled it. E-mails
 * from missed days are not sent.
 */
const dailyEmailSchedule = schedule({
  name: 'daily-emails',
  every: { daily: '09:00' },
  run: async (engine) => {
    const today = londonDate(engine.clock.now()).toString()
    const due = await engine.db.tx('system', (tx) =>
      tx.rows<{ client: number; id: number; by: number }>(
        "SELECT client_id AS client, id, planned_by AS by FROM daily_email WHERE state = 'planned' AND day <= $1::date ORDER BY client_id, day, id",
        [today],
      ),
    )
    for (const one of due) await sendOne(engine, one, today)
  },
})

async function sendOne(engine: Engine, { client, id, by }: { client: number; id: number; by: number }, today: string) {
  const person = await engine.db.tx('system', (tx) => readActor(tx, client, by))
  const actor: Actor | undefined = hasRole(person, MAILING_LIST_ROLES) ? person : undefined
  const change = { actor: actor ?? createSystemActor(client, 'daily e-mails'), requestId: `daily e-mail ${id}` }
  await engine.inTenant(client, change, async (c) => {
    const [row] = await c.lockAll(dailyEmail, { id, state: 'planned' })
    if (row) await settle(c, row, actor, today)
    return () => undefined
  })
}

async function settle(c: Context, row: Daily, actor: Actor | undefined, today: string): Promise<void> {
  const miss = (reason: string) => c.set(dailyEmail, row, { state: 'missed', reason }, 'miss')
  if (row.day < today) return void (await miss('The day passed before the e-mail could be sent.'))
  if (!actor) return void (await miss('The user who scheduled this e-mail is no longer allowed to send it.'))
  const { subject, body } = row
  const run = await startBatchJob(c, dailyEmailJob, {
    query: buildRecipientQuery(row),
    subject,
    body,
    template: 'daily-iso',
    files: [],
  })
  await c.set(dailyEmail, row, { state: 'sent', run, sentAt: c.now.toString() }, 'send')
}

const EXPORT_REASON = 'record an exported mailing list'
/** Number of leads read per page. */
const PAGE = 1000

const kept = (segment: RequestQuery): RequestQuery => ({ ...segment, retired: 'false' })

async function audienceOf({ engine, me }: RouteContext, segment: RequestQuery): Promise<Omit<MailingAudience, '@id'>> {
  const count = async (extra: readonly QueryCondition[]) =>
    (await engine.list(contact, me, kept(segment), { limit: 1, offset: 0 }, { extra })).total ?? 0
  return {
    leads: await count([]),
    withAddress: await count([hasAddress]),
    consented: await count([hasAddress, hasConsent]),
    writable: await count(MAY_EMAIL),
  }
}

const audience: Route = {
  method: 'GET',
  path: MAILING_AUDIENCE_URL,
  title:
    'Count the leads that may receive marketing: those that have an e-mail address, have consented and have not opted out',
  allow: MAILING_LIST_ROLES,
  filters: contact,
  handle: async (c) => ({ '@id': MAILING_AUDIENCE_URL, ...(await audienceOf(c, c.query)) }),
}

/** Serialises filters for storage. The filters are applied again each time the file is created. */
const segmentOf = (query: RequestQuery): string => {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    (typeof value === 'string' ? [value] : (value ?? [])).map((one): [string, string] => [key, one]),
  )
  return new URLSearchParams(pairs).toString()
}
function queryOf(segment: string): RequestQuery {
  const found: Record<string, string[]> = {}
  for (const [key, value] of new URLSearchParams(segment)) found[key] = [...(found[key] ?? []), value]
  return found
}

const make = routeWithInput(
  {
    name: text({ required: 'Please enter the purpose of the list', max: 200 }),
    format: choice(MAILING_LIST_FORMATS, { default: 'plain' }),
  },
  {
    method: 'POST',
    path: `${mailingList.url}/make`,
    title: 'Create a list of the leads that match the query and may receive marketing, and record who created it',
    allow: MAILING_LIST_ROLES,
    filters: contact,
    handle: async (c) => {
      const found = await audienceOf(c, c.query)
      const segment = segmentOf(c.query)
      if (segment.length > 2000) throw problem.badRequest('Please choose fewer filters.')
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const made = await unit.withoutPermissionCheck(EXPORT_REASON).create(mailingList, {
          ...c.input,
          segment,
          listed: found.writable,
          leftOut: found.leads - found.writable,
        })
        const { id } = await made.saved()
        return () =>
          new RouteResponse(201, { '@id': `${mailingList.url}/${id}`, id, file: mailingListFileUrl(id), ...found })
      })
    },
  },
)

/** Splits a name into the first name and the remaining names. */
const namesOf = (name: string): [string, string] => {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return [first, rest.join(' ')]
}
const HEADS: Readonly<Record<string, readonly string[]>> = {
  plain: ['E-mail', 'Name', 'Company', 'City'],
  'constant-contact': ['Email address', 'First name', 'Last name', 'Company'],
}

const file: Route = {
  method: 'GET',
  path: `${mailingList.url}/{id}/file.csv`,
  title: 'Download the list, excluding anybody who has opted out since',
  allow: MAILING_LIST_ROLES,
  file: ['text/csv'],
  handle: async (c) => {
    const list = await c.engine.one(mailingList, c.me, await c.engine.idOf(mailingList, c.me, c.params.id))
    const lines = [(HEADS[list.format] ?? []).map(quoteCsvCell)]
    const seen = new Set<string>()
    for (let after = 0; ; ) {
      const query = { ...kept(queryOf(list.segment)), 'id[gt]': String(after), 'order[id]': 'asc' }
      const page = { limit: PAGE, offset: 0 }
      const { members } = await c.engine.list(contact, c.me, query, page, { count: false, extra: MAY_EMAIL })
      for (const { id, ...of } of members) {
        after = id
        const [email = '', name = '', company = '', city = ''] = [of.email, of.name, of.companyName, of.city].map(
          (v) => v ?? '',
        )
        // Skips a lead whose address has already been used, so that each address gets only one e-mail.
        if (seen.has(email.toLowerCase())) continue
        seen.add(email.toLowerCase())
        const [first, last] = namesOf(name)
        const cells = list.format === 'plain' ? [email, name, company, city] : [email, first, last, company]
        lines.push(cells.map(quoteCsvCell))
      }
      if (members.length < PAGE) break
    }
    return new RouteResponse(200, Buffer.from(`\uFEFF${lines.map((cells) => `${cells.join(',')}\r\n`).join('')}`), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="mailing-list-${list.id}.csv"`,
    })
  },
}

const consentBehaviour = behaviour(marketingConsent, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before?.withdrawn)
      throw problem.conflict(`This consent ${before.withdrawnAt ? 'has been withdrawn' : 'is void'}. Enter a new one.`)
    if (before && changes.address !== undefined && changes.address !== before.address)
      throw problem.conflict('The e-mail address can’t be changed. Withdraw this consent and enter a new one.')
    if (changes.givenOn && changes.givenOn > londonDate(c.now).toString())
      throw problem.invalid([violation('givenOn', 'The date of consent can’t be in the future')])
    if (before) return
    const known = await c.work.tx.rows(
      'SELECT 1 FROM marketing_consent WHERE client_id = $1 AND email_key(address) = email_key($2) AND NOT withdrawn',
      [c.clientId, values.address],
    )
    if (known.length)
      throw problem.invalid([violation('address', 'There is already a consent for this e-mail address')])
  },
  actions: {
    withdraw: (c) => {
      if (c.row.withdrawn)
        throw problem.conflict(
          c.row.withdrawnAt ? 'This consent has already been withdrawn.' : 'This consent is void: it was never given.',
        )
      return { set: { withdrawn: true, withdrawnAt: c.now.toString(), reason: c.input.reason } }
    },
  },
})

export const marketingFeature = feature({
  resources: [marketingConsent, mailingList, dailyEmail],
  behaviours: [consentBehaviour, dailyBehaviour],
  routes: [audience, make, file],
  batchJobs: [dailyEmailJob],
  schedules: [dailyEmailSchedule],
})
