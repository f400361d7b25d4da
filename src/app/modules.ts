import { actionsModule } from '#modules/actions/module.server.ts'
import { assuranceModule } from '#modules/assurance/module.server.ts'
import { billingModule } from '#modules/billing/module.server.ts'
import { companiesModule } from '#modules/companies/module.server.ts'
import { crmModule } from '#modules/crm/module.server.ts'
import { documentsModule } from '#modules/documents/module.server.ts'
import { collectDocumentKinds } from '#modules/documents/types/kinds.server.ts'
import { identityModule } from '#modules/identity/module.server.ts'
import { incidentsModule } from '#modules/incidents/module.server.ts'
import { peopleModule } from '#modules/people/module.server.ts'
import { portalModule } from '#modules/portal/module.server.ts'
import { safetyModule } from '#modules/safety/module.server.ts'
import { salesModule } from '#modules/sales/module.server.ts'
import { tasksModule } from '#modules/tasks/module.server.ts'
import { trainingModule } from '#modules/training/module.server.ts'
import type { Module } from '#server/engine/module.ts'

const declaring: readonly Module[] = [
  identityModule,
  billingModule,
  companiesModule,
  crmModule,
  portalModule,
  safetyModule,
  salesModule,
  actionsModule,
  peopleModule,
  incidentsModule,
  trainingModule,
  assuranceModule,
]

/**
 * Returns the portal's modules and the `further` modules, followed by the documents module and My-Task, with all document
 * types that these modules declare.
 */
export const buildModuleList = (further: readonly Module[]): readonly Module[] => {
  const all = [...declaring, ...further]
  return [...all, documentsModule(all), tasksModule(collectDocumentKinds(all))]
}

export const modules: readonly Module[] = buildModuleList([])
