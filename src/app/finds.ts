import { customerFinds, quoteFinds } from '#rooms/billing/finds.web.ts'
import { leadFinds } from '#rooms/crm/finds.web.ts'
import { documentFinds } from '#rooms/documents/finds.web.ts'
import { riskAssessment } from '#rooms/safety/risk/risk-assessment.ts'
import { toolboxTalk } from '#rooms/safety/talks/toolbox-talk.ts'
import type { FoundKind } from '#web/shell/palette/finds.ts'

/** What the palette finds besides screens, actions and clients: in this order. */
export const finds: readonly FoundKind[] = [
  leadFinds,
  customerFinds,
  quoteFinds,
  documentFinds([riskAssessment, toolboxTalk]),
]
