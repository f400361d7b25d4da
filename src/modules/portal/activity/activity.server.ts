import { problem } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { applicationActivity, versionControl } from './activity.ts'

export const activityBehaviours = [
  behaviour(versionControl, {
    beforeSave: ({ actor, before }) =>
      before ? undefined : { user: author(actor).clientId === actor.clientId ? author(actor).userId : actor.userId },
  }),
  /** It is now, whatever a clock elsewhere says. */
  behaviour(applicationActivity, {
    beforeSave: ({ before, changes, now }) => {
      if (before && changes.applicationName !== undefined)
        throw problem.conflict('This says when another part of the portal was used.')
      // What is sent back as it was read is no use of it.
      const said = changes.lastActivityAt
      const isSo = before && (said === undefined || Date.parse(said) === Date.parse(before.lastActivityAt))
      return { lastActivityAt: isSo ? before.lastActivityAt : now.toString() }
    },
  }),
]
