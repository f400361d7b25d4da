import { requireProofNow } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { role } from './role.ts'

/** Who may hold a role is part of what everybody may do: it is changed after a proof. */
export const roleBehaviour = behaviour(role, {
  beforeSave: async (c) => {
    await requireProofNow(c)
    return undefined
  },
})
