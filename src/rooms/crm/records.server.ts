import { author } from '#kernel/roles.ts'
import { type Behaviour, behaviour } from '#server/behaviour.ts'
import { note } from './note.ts'
import { EDITED } from './outcomes.ts'
import { sale, supported } from './records.ts'
import { staffOf } from './staff.server.ts'

/** A note or sale is its author's, unless it names somebody. */
const byMe: Behaviour = {
  prepare: async ({ before, values, work, actor }) =>
    before || values.user ? undefined : { user: (await staffOf(work.tx, actor)) ?? null },
}

export const recordBehaviours = [
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
