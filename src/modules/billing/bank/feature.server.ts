import { feature } from '#server/engine/module.ts'
import { INVOICING_PACK } from '../rights.ts'
import { bankBehaviour, bankRoutes } from './bank.server.ts'
import { bankLine, bankStatement } from './statement-csv.ts'

export const bank = feature({
  pack: INVOICING_PACK,
  resources: [bankStatement, bankLine],
  behaviours: [bankBehaviour],
  routes: bankRoutes,
  seeds: () => import('./demo.server.ts'),
})
