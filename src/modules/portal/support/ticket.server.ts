import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import type { RowOf } from '#kernel/resource.ts'
import { type Actor, authorOf, createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { composeEmail, defineEmail, emailGreeting, emailSignature } from '#kernel/system-email.ts'
import { redactUrlSecrets } from '#kernel/text.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { type ExternalHandlerContext, eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import { postToService } from '#server/outgoing.ts'
import { client } from '../clients/client.ts'
import { emailRequested } from '../mail/letter.ts'
import { supportTicket } from './ticket.ts'

/** Event: a support ticket was created while a help desk is set up. */
const ticketCreated = defineEvent({
  kind: 'support.asked',
  version: 1,
  payload: z.object({ ticket: z.int() }),
})

type Ticket = RowOf<typeof supportTicket>
type Desk = Pick<Ticket, 'desk' | 'deskNumber' | 'deskError'>

const HAND_ON_PURPOSE = 'support.hand-on'
/** Milliseconds to wait for the help desk's response. After that, the ticket is retried later. */
const HELP_DESK_TIMEOUT_MS = 15_000
const MAX_BYTES = 4096
/** Status codes after which the request is retried; all other 4xx codes are permanent failures. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Builds the request that creates the ticket at the help desk (portal specification, section 7, Support system). The
 * subject already starts with the client's name. The message ends with the screen, the request ID and the portal's
 * ticket number.
 */
const bodyOf = (t: Ticket, company: string) => ({
  alert: true,
  autorespond: true,
  source: t.source,
  name: t.name || t.email,
  email: t.email,
  subject: t.subject,
  message: [
    t.message,
    ...(t.page ? [`Screen: ${t.page}`] : []),
    ...(t.reference ? [`Request: ${t.reference}`] : []),
    `Portal ticket ${t.client}-${t.id}`,
  ].join('\n\n'),
  topicId: t.topicId,
  client: company,
})

/**
 * Forwards tickets to the help desk, and retries with growing delays. If a response is lost, the help desk may receive
 * a ticket twice, but no ticket is lost. Duplicates can be recognised because both contain the portal's ticket number
 * (ADR 133).
 */
const forwardTickets = eventHandler(ticketCreated, {
  name: HAND_ON_PURPOSE,
  queue: 'support',
  send: async (to, { ticket: id }) => {
    const { support } = to.engine.config
    const { ticket, company } = await to.engine.readIn(to.clientId, HAND_ON_PURPOSE, async (c) => ({
      ticket: await c.get(supportTicket, id),
      company: (await c.get(client, to.clientId))?.company ?? '',
    }))
    if (ticket?.desk !== 'waiting') return
    if (!support) return settle(to, id, { desk: 'kept', deskNumber: '', deskError: '' })
    const answer = await postToService(support.url, bodyOf(ticket, company), {
      headers: { 'x-api-key': support.key },
      timeoutMs: HELP_DESK_TIMEOUT_MS,
      most: MAX_BYTES,
    }).catch((e: unknown) => ({ status: 0, text: e instanceof Error ? e.message : '' }))
    const { status, text } = answer
    if (status >= 200 && status < 300)
      return settle(to, id, { desk: 'handed on', deskNumber: text.trim().slice(0, 100), deskError: '' })
    const isFinal = status >= 300 && status < 500 && !PASSING.has(status)
    const deskError = (
      status ? `${status}: ${text.replace(/\s+/g, ' ').trim()}` : 'The help desk did not respond.'
    ).slice(0, 300)
    await settle(to, id, { desk: isFinal ? 'refused' : 'waiting', deskNumber: '', deskError })
    if (!isFinal) throw new Error(`The help desk has not accepted ticket ${to.clientId}-${id}. ${deskError}`)
  },
})

const settle = ({ engine, clientId }: ExternalHandlerContext, id: number, values: Desk): Promise<void> =>
  engine.inTenant(
    clientId,
    { actor: createSystemActor(clientId, HAND_ON_PURPOSE), requestId: `${HAND_ON_PURPOSE} ${id}` },
    async (c) => {
      await c.set(supportTicket, await c.lock(supportTicket, id), values, 'hand on')
      return () => undefined
    },
  )

/** Throws 403 unless the actor, or the person behind an impersonation, is a provider user. */
function requireSupport(actor: Actor): void {
  if (authorOf(actor).clientId !== PROVIDER_CLIENT_ID) throw problem.forbidden('Only support can answer this ticket.')
}

interface SupportAnswerFacts {
  readonly name: string
  readonly subject: string
  readonly answer: string
  readonly answeredBy: string
}

const supportAnswerEmail = defineEmail<SupportAnswerFacts>({
  name: 'support-answer',
  title: 'Answer to a support ticket',
  subject: ({ subject }) => `Re: ${subject}`,
  paragraphs: ({ name, answer, answeredBy }) => [emailGreeting(name), answer, emailSignature(answeredBy)],
  sample: {
    name: 'Ann Carter',
    subject: 'Acme Ltd: A PDF is empty',
    answer: 'This has been corrected. Please download the PDF again.',
    answeredBy: 'Sam Taylor',
  },
})

const ticketBehaviour = behaviour(supportTicket, {
  beforeSave: async (c) => {
    const { actor, before, changes, clientId, engine } = c
    if (before) return undefined
    const company = (await c.get(client, clientId))?.company || engine.config.provider
    return {
      user: actor.original ? null : actor.userId,
      name: authorOf(actor).name,
      source: 'API',
      ...(changes.subject ? { subject: `${company}: ${changes.subject}`.slice(0, 200) } : {}),
      page: redactUrlSecrets(changes.page ?? ''),
      desk: engine.config.support ? ('waiting' as const) : ('kept' as const),
    }
  },
  afterSave: async (c) => {
    if (c.before || !c.engine.config.support) return
    const { id } = await c.written.saved()
    await c.emit(ticketCreated, { ticket: id })
  },
  actions: {
    answer: async (c) => {
      const { row, input, actor } = c
      requireSupport(actor)
      await c.emit(emailRequested, {
        to: row.email,
        ...composeEmail(supportAnswerEmail, {
          name: row.name,
          subject: row.subject,
          answer: input.answer,
          answeredBy: authorOf(actor).name,
        }),
        author: authorOf(actor).username,
        about: `${supportTicket.url}/${row.id}`,
      })
      return { set: { answer: input.answer, answeredBy: authorOf(actor).username, state: 'closed' as const } }
    },
    close: ({ actor }) => {
      requireSupport(actor)
      return { set: { state: 'closed' as const } }
    },
    handOn: async (c) => {
      requireSupport(c.actor)
      if (!c.engine.config.support) throw problem.conflict('No help desk is set up. Answer the ticket here.')
      if (c.row.desk === 'handed on')
        throw problem.conflict(`The help desk already has this ticket${c.row.deskNumber && `: ${c.row.deskNumber}`}.`)
      await c.emit(ticketCreated, { ticket: c.row.id })
      return { set: { desk: 'waiting' as const, deskError: '' } }
    },
    reopen: ({ actor }) => {
      requireSupport(actor)
      return { set: { state: 'open' as const } }
    },
  },
})

export const support = feature({
  resources: [supportTicket],
  behaviours: [ticketBehaviour],
  emails: [supportAnswerEmail],
  handlers: [forwardTickets],
  seeds: () => import('./demo.server.ts'),
})
