import { idFromResourceIri } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { anyOfSql, type QueryCondition, toValueList } from '#server/data/values.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { owningRelation } from '#server/engine/confidential-reads.ts'
import { feature } from '#server/engine/module.ts'
import { confidentialRead } from './confidential-read.ts'

/** Returns a condition that finds the reads of a record and its parts; no reads if there is no such resource. */
function ofRecordCondition(iri: string, resources: readonly Resource[]): QueryCondition {
  const [found] = resources.flatMap((r) => {
    const id = iri.startsWith(`${r.url}/`) ? idFromResourceIri(r, iri) : undefined
    return id === undefined ? [] : [{ r, id }]
  })
  if (!found) return { sql: () => 'false' }
  const { r, id } = found
  const parts = resources.filter((part) => owningRelation(part)?.target.table === r.table)
  return {
    sql: (next) => {
      const at = `${next(id)}::bigint`
      // Parts are looked up by index among all clients' rows, because IDs are unique across clients.
      const partReads = parts.map((part) => {
        const column = part.columns[owningRelation(part)?.name ?? '']
        return `(t.type = '${part.type}' AND t.row_id = ANY(ARRAY(SELECT p.id FROM ${part.table} p WHERE p.client_id IN (SELECT id FROM client) AND p.${column} = ${at})))`
      })
      return `(${[`(t.type = '${r.type}' AND t.row_id = ${at})`, ...partReads].join(' OR ')})`
    },
  }
}

const reads = behaviour(confidentialRead, {
  extraFilters: ({ record }, resources) => {
    const iris = toValueList(record ?? []).filter((iri) => iri !== '')
    if (!iris.length) return []
    const conditions = iris.map((iri) => ofRecordCondition(iri, resources))
    return [{ sql: (next) => anyOfSql(conditions, (one) => one.sql(next)) }]
  },
})

export const confidentialReads = feature({ resources: [confidentialRead], behaviours: [reads] })
