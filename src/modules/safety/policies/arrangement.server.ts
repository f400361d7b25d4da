import { documentFeature } from '#modules/documents/types/kinds.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { assertNameUnused } from '../library/same-name.server.ts'
import { allPolicyArrangements, policyArrangement, policyFunction, policyPerson } from './arrangement.ts'
import { policy } from './policy.ts'
import { policyReference } from './reference.server.ts'
import { setupPolicyRoute } from './setup.server.ts'

/** Clients see only the provider's arrangements that are shared. */
const arrangementBehaviour = behaviour(policyArrangement, {
  beforeSave: async (c) => {
    await assertNameUnused(c, policyArrangement, { thing: 'arrangement', offered: 't.share_all' })
    return undefined
  },
})

export const policies = documentFeature({
  pack: 'safety',
  resources: [policyArrangement, allPolicyArrangements, policyFunction, policyPerson],
  kinds: [policy],
  behaviours: [arrangementBehaviour],
  routes: [setupPolicyRoute],
  referenceData: [policyReference],
  seeds: () => import('./demo.server.ts'),
})
