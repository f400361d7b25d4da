import { requireProofNow } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { roleReference } from './reference.server.ts'
import { role } from './role.ts'
import { roleCategory } from './role-category.ts'

/** Changing a role affects everybody who holds it, so it requires recent proof of identity. */
const roleBehaviour = behaviour(role, {
  beforeSave: async (c) => {
    await requireProofNow(c)
    return undefined
  },
})

export const roles = feature({
  resources: [role, roleCategory],
  behaviours: [roleBehaviour],
  referenceData: [roleReference],
})
