import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { notice } from './notice.ts'

/** Throws 403 for whoever works as somebody else: what that person has read is theirs to say. */
export function mustBeTheirOwn({ original }: Pick<Actor, 'original'>): void {
  if (original)
    throw problem.forbidden('These notices are theirs: nobody marks them while working as somebody else.', 'in_person')
}

export const noticeBehaviour = behaviour(notice, {
  actions: {
    markRead: ({ actor, row, now }) => {
      mustBeTheirOwn(actor)
      return row.readAt === null ? { set: { readAt: now.toString() } } : {}
    },
    markUnread: ({ actor, row }) => {
      mustBeTheirOwn(actor)
      return row.readAt === null ? {} : { set: { readAt: null } }
    },
  },
})
