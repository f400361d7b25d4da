import type { Resource } from '#kernel/resource.ts'
import { hazard, hazardControl } from '../library/hazard.ts'
import { ppe } from '../library/ppe.ts'
import { policyArrangement } from '../policies/arrangement.ts'
import { standardStatement, task } from '../statements/statement.ts'
import { substance } from '../substances/substance.ts'

/** Something of the library, and which documents have it. */
export interface Use {
  readonly of: Resource
  /** A condition on documents `t`, for the id as a parameter. */
  readonly where: (id: string) => string
}

/** By lines that keep what the library said, and its id. */
const byLines = (of: Resource, lines: string): Use => ({
  of,
  where: (id) => `t.id IN (SELECT l.document_id FROM ${lines} = ${id})`,
})

/** By what the words of a document name: a column that the database makes of them. */
const byWords = (of: Resource): Use => ({
  of,
  where: (id) => `t.library <> '{}' AND t.library @> ARRAY['${of.path}/' || ${id}]`,
})

/** What documents keep a copy of, with the id of the row that it was copied from. */
export const USES: readonly Use[] = [
  byLines(hazard, 'risk_item l WHERE NOT l.retired AND l.hazard_id'),
  byLines(hazardControl, 'risk_item l WHERE NOT l.retired AND l.control_id'),
  byLines(substance, 'coshh_substance l WHERE l.substance_id'),
  ...[ppe, policyArrangement, standardStatement, task].map(byWords),
]
