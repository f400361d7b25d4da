import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { author, hasRole } from '#kernel/roles.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { EDITED } from '../outcomes/decide.ts'
import { staffOf } from '../staff/staff.server.ts'
import { note } from './note.ts'

interface NoteContents {
  readonly notes: string
  /** Which of the last results it tells of. */
  readonly lastResult?: number
  /** The member of staff that it is shown under; whoever acts, unless said. */
  readonly user?: number | null
  /** The username that it is signed with; that of whoever acts, unless said. */
  readonly author?: string
  readonly minutes?: number
  /** The record that it is about, as the API names it. */
  readonly about?: string
  /** What an outcome has changed, as it was. */
  readonly before?: Readonly<Record<string, unknown>>
}

/** Writes down what was said or done with a contact, by the right of whatever is told of. What no person does is nobody's note. */
export const noteOnContact = (
  c: Context,
  contact: number,
  contents: NoteContents,
): Promise<PendingWrite<typeof note>> =>
  c.withoutPermissionCheck('what happens to a contact is told in its notes').create(note, {
    contact,
    automatic: c.actor.kind !== undefined && contents.author === undefined,
    ...contents,
  })

/** Of what is told of a lead: whose it is, of which lead, and how a call ended stay as they were said. */
const STAYS: readonly string[] = ['contact', 'user', 'lastResult']

/**
 * What somebody has told is changed by them alone. Others pin it; leads administrators put it away, and say why. Throws 403, and 422
 * without a reason.
 */
export function mustBeTheirAuthors(
  c: Context,
  before: { readonly author: string | null },
  changes: Readonly<Record<string, unknown>>,
): void {
  const names = Object.keys(changes)
  if (c.actor.kind || names.every((name) => name === 'sticky')) return
  if (names.some((name) => STAYS.includes(name)))
    throw problem.forbidden('Whose this is, of which lead, and how the call ended stay as they were written.')
  if (before.author === author(c.actor).username) return
  const putsAway = names.every((name) => ['retired', 'reason', 'sticky'].includes(name))
  if (!putsAway || !hasRole(c.actor, 'ROLE_LEADS_ADMIN'))
    throw problem.forbidden(`Only ${before.author || 'its author'} changes this. You can pin it.`)
  const { reason } = changes
  if (changes.retired !== undefined && !(typeof reason === 'string' && reason.trim()))
    throw problem.invalid([violation('reason', 'Please say why')])
}

/** What the portal has written, of itself or about an edit, stays as it is; to pin it changes nothing that it says. */
function mustBeSomebodys(before: RowOf<typeof note>, changes: ValuesOf<typeof note>): void {
  if (!before.automatic && before.lastResult !== EDITED) return
  if (Object.keys(changes).some((name) => name !== 'sticky'))
    throw problem.forbidden('The portal wrote this note. It can be pinned, and stays as it is.')
}

export const noteBehaviour = behaviour(note, {
  /** A note is of whoever writes it, unless it names somebody. */
  beforeSave: async (c) => {
    if (c.before) {
      mustBeSomebodys(c.before, c.changes)
      mustBeTheirAuthors(c, c.before, c.changes)
      return undefined
    }
    return {
      author: c.values.author ?? author(c.actor).username,
      user: c.values.automatic ? null : (c.values.user ?? (await staffOf(c)) ?? null),
    }
  },
})
