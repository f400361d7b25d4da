import { actions } from '#modules/actions/module.server.ts'
import { billingModule } from '#modules/billing/module.server.ts'
import { companies } from '#modules/companies/module.server.ts'
import { crmModule } from '#modules/crm/module.server.ts'
import { documentsModule } from '#modules/documents/module.server.ts'
import { identity } from '#modules/identity/module.server.ts'
import { portal } from '#modules/portal/module.server.ts'
import { safetyModule } from '#modules/safety/module.server.ts'
import { sales } from '#modules/sales/module.server.ts'
import type { Module } from '#server/engine/module.ts'

const declaring: readonly Module[] = [
  identity,
  billingModule,
  companies,
  crmModule,
  portal,
  safetyModule,
  sales,
  actions,
]

/** Returns every module of the portal and the `further` modules, with all document types that these modules declare. */
export const buildModuleList = (further: readonly Module[]): readonly Module[] => {
  const all = [...declaring, ...further]
  return [...all, documentsModule(all)]
}

export const modules: readonly Module[] = buildModuleList([])
