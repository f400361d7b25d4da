import { feature } from '#server/engine/module.ts'
import { INVOICING_PACK } from '../rights.ts'
import { bankLineBehaviour, lineChargesRoute } from './bank.server.ts'
import { bankLine, bankStatement } from './bank-line.ts'
import { importRoute } from './import.server.ts'

export const bank = feature({
  pack: INVOICING_PACK,
  resources: [bankStatement, bankLine],
  behaviours: [bankLineBehaviour],
  routes: [importRoute, lineChargesRoute],
  seeds: () => import('./demo.server.ts'),
})
