import { behaviour } from '#server/engine/behaviour.ts'
import { staffOf } from '../staff/staff.server.ts'
import { lastResult } from './lookups.ts'
import { noteOnContact } from './note.server.ts'
import { EDITED } from './outcomes.ts'
import { sale, supported } from './records.ts'

export const recordBehaviours = [
  // A new one is in no list of leads until a migration puts it there.
  behaviour(lastResult, { prepare: (c) => (c.before ? undefined : { category: 'NOTE' }) }),
  /** A sale is of whoever makes it, unless it names somebody. */
  behaviour(sale, {
    prepare: async (c) => (c.before || c.values.user ? undefined : { user: (await staffOf(c)) ?? null }),
  }),
  behaviour(supported, {
    saved: async (c) => {
      if (!c.before || c.changes.supported === undefined) return
      const notes = c.changes.supported ? 'Now supported.' : 'No longer supported.'
      await noteOnContact(c, c.before.contact, { notes, lastResult: EDITED })
    },
  }),
]
