import { problem } from '#kernel/errors.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { type Behaviour, behaviour } from '#server/behaviour.ts'
import { role } from './role.ts'
import { roleCategory } from './role-category.ts'

/** What every client is offered is the provider's to change, whatever role somebody elsewhere may hold. */
const byProvider: Behaviour = {
  prepare: ({ actor }) => {
    if (actor.clientId !== PROVIDER) throw problem.forbidden()
    return undefined
  },
}

export const roleBehaviours = [behaviour(role, byProvider), behaviour(roleCategory, byProvider)]
