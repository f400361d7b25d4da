import { billing } from '#modules/billing/module.server.ts'
import { companies } from '#modules/companies/module.server.ts'
import { crm } from '#modules/crm/module.server.ts'
import { documents } from '#modules/documents/module.server.ts'
import { identity } from '#modules/identity/module.server.ts'
import { portal } from '#modules/portal/module.server.ts'
import { safety } from '#modules/safety/module.server.ts'
import { sales } from '#modules/sales/module.server.ts'
import type { Module } from '#server/engine/module.ts'

const areas: readonly Module[] = [identity, billing, companies, crm, portal, safety, sales]

/** Every module of the portal, and further ones: the kinds of document that these declare lead the one life too. */
export const modulesWith = (further: readonly Module[]): readonly Module[] => {
  const all = [...areas, ...further]
  return [...all, documents(all)]
}

/** Every module of the portal. */
export const modules: readonly Module[] = modulesWith([])
