import { problem, violation } from '#kernel/errors.ts'
import { idFromResourceIri } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { authorOf, createSystemActor } from '#kernel/roles.ts'
import { composeEmail, defineEmail, formalEmailGreeting, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { isEmail, isSameMailbox } from '#kernel/validate.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { consumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailAccepted, emailRequested } from '#modules/portal/mail/letter.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { createSecretLink } from '#server/engine/secret-links.ts'
import type { Context } from '#server/engine/types.ts'
import { logIncidentEvent } from '../history.server.ts'
import { type IncidentState, OPEN_INCIDENT_STATES } from '../incident-facts.ts'
import { type IncidentPerson, incidentPerson } from '../people/incident-person.ts'
import { incidentStatementRequest, MAX_STATEMENT_SECRETS, STATEMENT_LINK_DAYS } from '../people/statement-request.ts'
import { type IncidentReport, incidentReport } from '../reports/incident-report.ts'
import { STATEMENT_PATH } from '../reports/paths.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'

/** Secret link with which a witness gives a statement. Each e-mail has its own link; a closed request has none. */
export const statementSecretLink: SecretLink = {
  kind: 'witness statement',
  make: (engine, clientId, { request }) => {
    const change = { actor: createSystemActor(clientId, 'create the link of a witness'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const [row] = await c.lockAll(incidentStatementRequest, { id: Number(request), state: 'open' })
      if (!row || row.until < londonDate(c.now).toString()) return () => undefined
      const { hash, url } = createSecretLink(engine.config)
      await c.set(
        incidentStatementRequest,
        row,
        { hashes: [...row.hashes, hash].slice(-MAX_STATEMENT_SECRETS) },
        'email',
      )
      return () => url(STATEMENT_PATH, clientId, row.id)
    })
  },
}

interface StatementRequestFacts {
  readonly witness: string
  readonly company: string
  /** Day of the incident; undefined while unknown. */
  readonly day: string | undefined
  readonly until: string
  readonly author: string
}

export const statementRequestEmail = defineEmail<StatementRequestFacts>({
  name: 'incident.statement-request',
  title: 'Statement requested from a witness without an account',
  confidential: true,
  subject: ({ company }) => `${preventAutolinking(company)} asks you for a statement`,
  paragraphs: ({ witness, company, day, until, author }) => {
    const say = preventAutolinking
    return [
      formalEmailGreeting(witness),
      `${say(company)} asks you what you saw and heard of an incident${day ? ` on ${formatIsoDateAsUk(day)}` : ''}.`,
      `Please write it down in your own words. Open this link (no sign-in needed):\n${SECRET_LINK_PLACEHOLDER}`,
      `The link is for you only and is valid until ${formatIsoDateAsUk(until)}. Once you have sent your statement, nobody can change it. If you have any questions, please contact ${say(author)} at ${say(company)}.`,
    ]
  },
  sample: {
    witness: 'Sam Reed',
    company: 'Acme Ltd',
    day: '2026-03-02',
    until: '2026-04-01',
    author: 'Ann Carter',
  },
})

/** Throws if no statement can be requested from a person. */
function assertRequestable(person: IncidentPerson, report: IncidentReport): void {
  if (report.retired) throw problem.conflict('This incident is deleted. Restore it first.')
  if (!OPEN_INCIDENT_STATES.some((state: IncidentState) => state === report.state))
    throw problem.conflict(
      report.state === 'draft'
        ? 'Please report this incident first, then request a statement.'
        : 'This incident is closed. Reopen it to request a statement.',
    )
  if (person.retired) throw problem.conflict('This person is deleted.')
  if (person.recordType !== 'WT')
    throw problem.invalid([violation('person', 'Only a witness can be asked for a statement')])
  if (person.statementReceivedAt) throw problem.conflict('This witness has already given a statement by link.')
  if (person.statement.trim())
    throw problem.conflict(
      'A statement of this witness is already entered. To ask the witness instead, remove it first.',
    )
}

/** Throws 422 if the address belongs to a user who enters statements in the office, such as the requester. */
async function refuseOfficeAddress(c: Context, email: string): Promise<void> {
  const office = (await c.find(user, { isRetired: false })).filter(
    ({ username, roles }) => username === c.actor.username || roles.includes(INCIDENT_READER_ROLE),
  )
  if (office.some((one) => isSameMailbox(one.email, email)))
    throw problem.invalid([
      violation('email', 'This is the address of a user who enters statements. Please enter that of the witness'),
    ])
}

export const statementRequestBehaviour = behaviour(incidentStatementRequest, {
  beforeSave: async (c) => {
    if (!isEmail(c.values.email ?? ''))
      throw problem.invalid([violation('email', 'Please enter an e-mail address such as name@firm.co.uk')])
    await refuseOfficeAddress(c, c.values.email ?? '')
    const named = await c.get(incidentPerson, c.values.person ?? 0)
    if (!named) throw problem.notFound()
    const report = await c.lock(incidentReport, named.report)
    assertRequestable(await c.lock(incidentPerson, named.id), report)
    // A new link replaces an earlier one.
    for (const row of await c.lockAll(incidentStatementRequest, { person: named.id, state: 'open' }))
      await c.set(incidentStatementRequest, row, { state: 'withdrawn', withdrawnAt: c.now.toString() }, 'withdraw')
    return {
      report: report.id,
      until: londonDate(c.now).add({ days: STATEMENT_LINK_DAYS }).toString(),
      createdAt: c.now.toString(),
    }
  },
  afterSave: async (c) => {
    await consumeRecipientAllowance(c, 1)
    const row = await c.written.saved()
    const [person, report] = [await c.get(incidentPerson, row.person), await c.get(incidentReport, row.report)]
    const ours = await c.get(client, c.clientId)
    await c.emit(emailRequested, {
      to: row.email,
      ...composeEmail(statementRequestEmail, {
        witness: person?.name ?? '',
        company: ours?.company ?? '',
        day: report?.datetime ? londonDate(Temporal.Instant.from(report.datetime)).toString() : undefined,
        until: row.until,
        author: authorOf(c.actor).name,
      }),
      link: { kind: statementSecretLink.kind, about: { request: row.id } },
      about: iriOf(incidentStatementRequest, row.id),
    })
    await logIncidentEvent(c, row.report, 'Statement of a witness requested')
  },
  actions: {
    withdraw: async (c) => {
      await logIncidentEvent(c, c.row.report, 'Link of a witness withdrawn')
      return { set: { withdrawnAt: c.now.toString() } }
    },
  },
})

/** Records that a mail server has accepted the e-mail with the link. */
export const markStatementRequestEmailed = eventHandler(emailAccepted, {
  name: 'incident.mark-statement-request-emailed',
  queue: 'events',
  run: async (c, { about, template, sentAt }) => {
    const id = idFromResourceIri(incidentStatementRequest, about)
    if (template !== statementRequestEmail.name || id === undefined) return
    const [row] = await c.lockAll(incidentStatementRequest, { id })
    if (row && !row.emailedAt) await c.set(incidentStatementRequest, row, { emailedAt: sentAt }, 'email')
  },
})
