import { feature } from '#server/engine/module.ts'
import { BOOKS } from '../rights.ts'
import { bankBehaviour, bankRoutes } from './bank.server.ts'
import { bankLine, bankStatement } from './bank-line.ts'

export const bank = feature({
  pack: BOOKS,
  resources: [bankStatement, bankLine],
  behaviours: [bankBehaviour],
  routes: bankRoutes,
  seeds: () => import('./demo.server.ts'),
})
