import { parseId } from '#kernel/iri.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { type QueryCondition, toValueList } from '#server/data/values.ts'

/** SQL condition for `p`, an injured party of the incident `t`. */
export const INJURED_PARTY_SQL =
  "p.client_id = t.client_id AND p.report_id = t.id AND p.record_type = 'IP' AND NOT p.retired"

/** Returns SQL that is true for incidents with an injured party that meets a condition. */
export const hasInjuredPartySql = (condition: string): string =>
  `EXISTS (SELECT 1 FROM incident_person p WHERE ${INJURED_PARTY_SQL} AND ${condition})`

/**
 * Returns conditions on the injured parties of an incident: `injured=true`, `mainFactor=3` and
 * `exists[mainFactor]=false`. The incident's declaration does not have these filters, because they concern fields of
 * its people.
 */
export function filterByInjuredParty(query: RequestQuery): QueryCondition[] {
  const injured = toValueList(query.injured ?? [])
  const factors = toValueList(query.mainFactor ?? []).filter((value) => value !== '')
  const [hasFactor] = toValueList(query['exists[mainFactor]'] ?? [])
  return [
    ...(injured.includes('true') ? [{ sql: () => hasInjuredPartySql('true') }] : []),
    ...(factors.length
      ? [
          {
            sql: (next: (v: unknown) => string) =>
              hasInjuredPartySql(`p.main_factor_id = ANY(${next(factors.flatMap((f) => parseId(f) ?? []))}::bigint[])`),
          },
        ]
      : []),
    ...(hasFactor === 'false' ? [{ sql: () => `NOT ${hasInjuredPartySql('p.main_factor_id IS NOT NULL')}` }] : []),
  ]
}
