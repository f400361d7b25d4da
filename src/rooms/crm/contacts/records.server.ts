import { problem } from '#kernel/errors.ts'
import { author, PROVIDER } from '#kernel/roles.ts'
import { type Behaviour, behaviour } from '#server/behaviour.ts'
import { staffOf } from '../staff/staff.server.ts'
import { businessType, cameFrom, city, lastResult } from './lookups.ts'
import { note } from './note.ts'
import { EDITED } from './outcomes.ts'
import { sale, supported } from './records.ts'

/** A note or sale is its author's, unless it names somebody. */
const byMe: Behaviour = {
  prepare: async ({ before, values, work, actor }) =>
    before || values.user ? undefined : { user: (await staffOf(work.tx, actor)) ?? null },
}

/** Lists that every tenant reads are the provider's to keep. */
const byProvider: Behaviour = {
  prepare: ({ actor }) => {
    if (actor.clientId !== PROVIDER) throw problem.forbidden()
    return undefined
  },
}

export const recordBehaviours = [
  behaviour(businessType, byProvider),
  behaviour(city, byProvider),
  behaviour(cameFrom, byProvider),
  behaviour(lastResult, {
    prepare: async (c) => {
      await byProvider.prepare?.(c)
      // A new one is in no list of leads until a migration puts it there.
      return c.before ? undefined : { category: 'NOTE' }
    },
  }),
  behaviour(note, byMe),
  behaviour(sale, byMe),
  behaviour(supported, {
    saved: async ({ before, changes, work, actor }) => {
      if (!before || !('supported' in changes)) return
      work.create(note, {
        contact: before.contact,
        user: (await staffOf(work.tx, actor)) ?? null,
        author: author(actor).username,
        notes: changes.supported ? 'Now supported.' : 'No longer supported.',
        lastResult: EDITED,
      })
    },
  }),
]
