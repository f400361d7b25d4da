import { documentFeature } from '#modules/documents/types/kinds.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { askSameName } from '../library/same-name.server.ts'
import { policyArrangement, policyArrangementAll, policyFunction, policyPerson } from './arrangement.ts'
import { policy } from './policy.ts'
import { policyReference } from './reference.server.ts'
import { setupPolicy } from './setup.server.ts'

/** Clients see only the provider's arrangements that are shared. */
const arrangements = behaviour(policyArrangement, {
  beforeSave: async (c) => {
    await askSameName(c, policyArrangement, { thing: 'arrangement', offered: 't.share_all' })
    return undefined
  },
})

export const policies = documentFeature({
  pack: 'safety',
  resources: [policyArrangement, policyArrangementAll, policyFunction, policyPerson],
  kinds: [policy],
  behaviours: [arrangements],
  routes: [setupPolicy],
  referenceData: [policyReference],
  seeds: () => import('./demo.server.ts'),
})
