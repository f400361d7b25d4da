import { feature } from '#server/engine/module.ts'
import { INVOICING_PACK } from '../rights.ts'
import { bankLineBehaviour, bankRoutes } from './bank.server.ts'
import { bankLine, bankStatement } from './bank-line.ts'

export const bank = feature({
  pack: INVOICING_PACK,
  resources: [bankStatement, bankLine],
  behaviours: [bankLineBehaviour],
  routes: bankRoutes,
  seeds: () => import('./demo.server.ts'),
})
