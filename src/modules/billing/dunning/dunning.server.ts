import { feature } from '#server/engine/module.ts'
import { BOOKS } from '../rights.ts'
import { collectDue, dunningDaily } from './collect.server.ts'
import { dunning, dunningStep } from './dunning.ts'
import { expiryReminder } from './expiry.server.ts'
import { chargeHasFailed, invoiceHasMoved } from './follow.server.ts'
import { pastDueDaily } from './past-due.server.ts'
import { dunningRoutes } from './routes.server.ts'
import { sendAgain, sendIssued } from './send-invoice.server.ts'
import { dunningReference, dunningSettingsBehaviour } from './settings.server.ts'
import { dunningSettings } from './settings.ts'

export const dunningFeature = feature({
  pack: BOOKS,
  resources: [dunning, dunningStep, dunningSettings],
  behaviours: [dunningSettingsBehaviour],
  routes: dunningRoutes,
  handlers: [sendIssued, sendAgain, collectDue, chargeHasFailed, invoiceHasMoved],
  schedules: [pastDueDaily, dunningDaily, expiryReminder],
  referenceData: [dunningReference],
  seeds: () => import('./demo.server.ts'),
})
