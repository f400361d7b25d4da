import { problem } from '#kernel/errors.ts'
import { type Actor, author, PROVIDER } from '#kernel/roles.ts'
import { removeSecretsFromAddress } from '#kernel/text.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { client } from '../clients/client.ts'
import { emailRequested, nameInEmail, PORTAL_NAME_PLACEHOLDER } from '../mail/letter.ts'
import { ticketCreated } from './asked.ts'
import { forwardTickets } from './desk.server.ts'
import { supportTicket } from './ticket.ts'

/** Only provider users are support. */
function requireSupport(actor: Actor): void {
  if (author(actor).clientId !== PROVIDER) throw problem.forbidden('Only support can answer this.')
}

const ticketBehaviour = behaviour(supportTicket, {
  beforeSave: async (c) => {
    const { actor, before, changes, clientId, engine } = c
    if (before) return undefined
    const company = (await c.get(client, clientId))?.company || engine.config.provider
    return {
      user: actor.userId,
      name: actor.name,
      source: 'API',
      ...(changes.subject ? { subject: `${company}: ${changes.subject}`.slice(0, 200) } : {}),
      page: removeSecretsFromAddress(changes.page ?? ''),
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
        subject: `Re: ${row.subject}`,
        body: `Hello ${nameInEmail(row.name)},\n\n${input.answer}\n\n${nameInEmail(author(actor).name)}, ${PORTAL_NAME_PLACEHOLDER}`,
        template: 'support-answer',
        author: author(actor).username,
        about: `${supportTicket.url}/${row.id}`,
      })
      return { set: { answer: input.answer, answeredBy: author(actor).username, state: 'closed' as const } }
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
  handlers: [forwardTickets],
  seeds: () => import('./demo.server.ts'),
})
