import { problem, violation } from '#kernel/errors.ts'
import { hasRole } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { callMade } from '../calls/call.ts'
import { asRegistered } from '../duplicate-keys/keys.ts'
import { clientDetailsNote } from './client-details.server.ts'
import { contact } from './contact.ts'
import { countSchedule } from './count-schedule.server.ts'
import { noteEdit } from './edit-note.server.ts'
import { importBatch } from './import-batch.ts'
import { businessType, cameFrom, city } from './lookups.ts'
import { noteBehaviour } from './note.server.ts'
import { note } from './note.ts'
import { close, mustNotBeHeld, outcome, ruleOf, undo } from './outcome.server.ts'
import { holderOf, lease, release } from './queue.server.ts'
import { recordBehaviours } from './records.server.ts'
import { referral, sale, supported } from './records.ts'
import { contactRoutes } from './routes.server.ts'
import { traysApart } from './trays-apart.server.ts'

const contactBehaviour = behaviour(contact, {
  extraFilters: traysApart,
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && before.mergedInto !== null)
      throw problem.conflict('This lead was merged into another one. Please open that one; nothing was saved.')
    // Somebody must be there to ring, or it is no lead.
    const named = values.companyName || values.name || values.phone || values.mobile || values.email
    if (!named)
      throw problem.invalid([
        violation('companyName', 'Please enter a company, a name, a telephone number or an e-mail address'),
      ])
    if (before?.doNotCall && changes.doNotCall === false && !hasRole(c.actor, 'ROLE_LEADS_ADMIN'))
      throw problem.forbidden('They asked not to be rung. Only who administers leads can lift that.')
    if (before?.doNotCall && changes.doNotCall === false && !changes.callAgainReason?.trim())
      throw problem.invalid([violation('callAgainReason', 'Please say why they may be rung again')])
    // A result is how a call has ended, whichever way it comes: the rules of an outcome hold.
    if (changes.lastResult !== undefined && before) await mustNotBeHeld(c, before)
    const isDead = typeof changes.lastResult === 'number' && (await ruleOf(c, changes.lastResult))?.effect === 'bar'
    return {
      ...(changes.companyNumber ? { companyNumber: asRegistered(changes.companyNumber) } : {}),
      ...(changes.lastResult === undefined ? {} : { outcome: null }),
      ...(isDead ? { doNotCall: true } : {}),
      // Another time needs a reason of its own.
      ...(isDead || changes.doNotCall ? { callAgainReason: null } : {}),
    }
  },
  afterSave: noteEdit,
  actions: {
    outcome,
    close,
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

export const contacts = feature({
  resources: [contact, note, callMade, businessType, city, cameFrom, sale, referral, supported, importBatch],
  behaviours: [contactBehaviour, noteBehaviour, ...recordBehaviours],
  routes: contactRoutes,
  handlers: [clientDetailsNote],
  schedules: [countSchedule],
})
