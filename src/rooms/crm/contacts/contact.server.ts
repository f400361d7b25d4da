import { problem, violation } from '#kernel/errors.ts'
import { behaviour } from '#server/behaviour.ts'
import { contact } from './contact.ts'
import { noteEdit } from './edit-note.server.ts'
import { outcome, undo } from './outcome.server.ts'
import { holderOf, lease, release } from './queue.server.ts'

export const contactBehaviour = behaviour(contact, {
  /** Somebody must be there to ring, or it is no lead. */
  prepare: ({ values }) => {
    const named = values.companyName || values.name || values.phone || values.mobile || values.email
    if (!named)
      throw problem.invalid([
        violation('companyName', 'Please enter a company, a name, a telephone number or an e-mail address'),
      ])
    return undefined
  },
  saved: noteEdit,
  actions: {
    outcome,
    undo,
    lease: async (c) => {
      const { row, input, work, actor } = c
      if (input.release) {
        await release(work.tx, actor, row.id)
        return { answer: () => ({ released: true }) }
      }
      const lead = await lease(work.tx, actor, row.id)
      const heldBy = lead ? null : ((await holderOf(c, row)) ?? null)
      return { answer: () => ({ contact: lead?.sent ?? null, heldBy }) }
    },
  },
})
