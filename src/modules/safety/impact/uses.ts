import type { Resource } from '#kernel/resource.ts'
import { hazard, hazardControl } from '../library/hazard.ts'
import { ppe } from '../library/ppe.ts'
import { policyArrangement } from '../policies/arrangement.ts'
import { standardStatement, task } from '../statements/statement.ts'
import { substance } from '../substances/substance.ts'

/** A library type and the condition that finds the documents that use an item. */
export interface LibraryUse {
  readonly of: Resource
  /** SQL condition on documents `t`, given the parameter of the id. */
  readonly where: (id: string) => string
}

/** Documents whose lines have the item's id with a copy of its data. */
const byLines = (of: Resource, lines: string): LibraryUse => ({
  of,
  where: (id) => `t.id IN (SELECT l.document_id FROM ${lines} = ${id})`,
})

/** Documents whose content names the item, by a generated column. */
const byWords = (of: Resource): LibraryUse => ({
  of,
  where: (id) => `t.library <> '{}' AND t.library @> ARRAY['${of.path}/' || ${id}]`,
})

/** Library types that documents copy, with the id of the copied row. */
export const LIBRARY_USES: readonly LibraryUse[] = [
  byLines(hazard, 'risk_item l WHERE NOT l.retired AND l.hazard_id'),
  byLines(hazardControl, 'risk_item l WHERE NOT l.retired AND l.control_id'),
  byLines(substance, 'coshh_substance l WHERE l.substance_id'),
  ...[ppe, policyArrangement, standardStatement, task].map(byWords),
]
