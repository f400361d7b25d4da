import { problem } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import type { Written } from '#server/data/writing/step.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import { staffOf } from '../staff/staff.server.ts'
import { note } from './note.ts'
import { EDITED } from './outcomes.ts'

interface NoteContents {
  readonly notes: string
  /** Which of the last results it tells of. */
  readonly lastResult?: number
  /** The member of staff that it is shown under; whoever acts, unless said. */
  readonly user?: number | null
  /** The username that it is signed with; that of whoever acts, unless said. */
  readonly author?: string
  readonly minutes?: number
  /** What an outcome has changed, as it was. */
  readonly before?: Readonly<Record<string, unknown>>
}

/** Writes down what was said or done with a contact, by the right of whatever is told of. What no person does is nobody's note. */
export const noteOnContact = (c: Context, contact: number, contents: NoteContents): Promise<Written<typeof note>> =>
  c.byRight('what happens to a contact is told in its notes').create(note, {
    contact,
    automatic: c.actor.kind !== undefined && contents.author === undefined,
    ...contents,
  })

/** What the portal has written, of itself or about an edit, stays as it is; to pin it changes nothing that it says. */
function mustBeSomebodys(before: RowOf<typeof note>, changes: ValuesOf<typeof note>): void {
  if (!before.automatic && before.lastResult !== EDITED) return
  if (Object.keys(changes).some((name) => name !== 'sticky'))
    throw problem.forbidden('The portal wrote this note. It can be pinned, and stays as it is.')
}

export const noteBehaviour = behaviour(note, {
  /** A note is of whoever writes it, unless it names somebody. */
  prepare: async (c) => {
    if (c.before) {
      mustBeSomebodys(c.before, c.changes)
      return undefined
    }
    return {
      author: c.values.author ?? author(c.actor).username,
      user: c.values.automatic ? null : (c.values.user ?? (await staffOf(c)) ?? null),
    }
  },
})
