import { problem } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { EDITED } from '../outcomes/decide.ts'
import { lastResult } from '../outcomes/last-result.ts'
import { callOutcome } from '../outcomes/outcome.ts'
import { staffOf } from '../staff/staff.server.ts'
import { mustBeTheirAuthors, noteOnContact } from './note.server.ts'
import { sale, supported } from './records.ts'

export const recordBehaviours = [
  // A new one is in no list of leads, and no call ends with it: outcomes are made and changed as what they are.
  behaviour(lastResult, {
    beforeSave: async (c) => {
      if (!c.before) return { category: 'NOTE' }
      if ((await c.get(callOutcome, c.before.id))?.effect !== 'none')
        throw problem.conflict('This is an outcome of calls. Please change it among the outcomes.')
      return undefined
    },
  }),
  /** A sale is of whoever makes it, unless it names somebody; its author alone changes it. */
  behaviour(sale, {
    beforeSave: async (c) => {
      if (c.before) {
        mustBeTheirAuthors(c, c.before, c.changes)
        return undefined
      }
      return { author: author(c.actor).username, user: c.values.user ?? (await staffOf(c)) ?? null }
    },
  }),
  behaviour(supported, {
    afterSave: async (c) => {
      if (!c.before || c.changes.supported === undefined) return
      const notes = c.changes.supported ? 'Now supported.' : 'No longer supported.'
      await noteOnContact(c, c.before.contact, { notes, lastResult: EDITED })
    },
  }),
]
