import { joinFeatures } from '#server/engine/module.ts'
import { equipment } from './equipment/feature.server.ts'
import { assuranceNav } from './nav.ts'

export const assuranceModule = joinFeatures('assurance', [
  { navigation: assuranceNav, seeds: () => import('./demo.server.ts') },
  equipment,
])
