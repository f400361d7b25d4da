import { requireProofNow } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { roleReference } from './reference.server.ts'
import { role } from './role.ts'
import { roleCategory } from './role-category.ts'

/** Who may hold a role is part of what everybody may do: it is changed after a proof. */
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
