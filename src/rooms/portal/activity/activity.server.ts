import { problem } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { applicationActivity, versionControl } from './activity.ts'

export const activityBehaviours = [
  behaviour(versionControl, {
    prepare: ({ actor, before, changes }) => {
      if (before && changes.user !== undefined) throw problem.conflict('This says what another person has seen.')
      return before || changes.user
        ? undefined
        : { user: author(actor).clientId === actor.clientId ? author(actor).userId : actor.userId }
    },
  }),
  /** It is now, whatever a clock elsewhere says. */
  behaviour(applicationActivity, {
    prepare: ({ before, changes, now }) => {
      if (before && changes.applicationName !== undefined)
        throw problem.conflict('This says when another part of the portal was used.')
      return { lastActivityAt: now.toString() }
    },
  }),
]
