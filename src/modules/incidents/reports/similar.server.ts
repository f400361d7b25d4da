import { problem } from '#kernel/errors.ts'
import { parseId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Route } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { incidentFacts } from '../incident-facts.ts'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'

/** Maximum number of hours between two reports that may be about the same incident. */
const SIMILAR_HOURS = 3
/** Maximum difference in degrees of latitude between two positions that may be the same place: about 200 metres. */
const SIMILAR_DEGREES = 0.002

interface SimilarReport {
  readonly id: number
  readonly number: string
  readonly description: string
}

const SIMILAR = `
  SELECT o.id, o.number, o.description FROM incident_report o, incident_report t
  WHERE t.client_id = $1 AND t.id = $2 AND o.client_id = $1 AND o.id <> t.id AND NOT o.retired AND o.state <> 'draft'
    AND o.happened_at BETWEEN t.happened_at - make_interval(hours => ${SIMILAR_HOURS}) AND t.happened_at + make_interval(hours => ${SIMILAR_HOURS})
    AND (o.site_id = t.site_id
      OR (o.internal_location <> '' AND search_form(o.internal_location) = search_form(t.internal_location))
      OR (abs(o.latitude - t.latitude) < ${SIMILAR_DEGREES} AND abs(o.longitude - t.longitude) < ${2 * SIMILAR_DEGREES}))
  ORDER BY o.id LIMIT 10`

/**
 * Lists reports that may be about the same incident: about the same time at the same site or place. Two phones often
 * report one accident. A person decides; nothing is merged.
 */
export const similarReportsRoute: Route = {
  method: 'GET',
  path: `${incidentFacts.url}/{id}/similar`,
  title: 'List reports that may be of the same incident',
  allow: INCIDENT_BOOK_ROLES,
  listOf: 'objects',
  handle: async ({ engine, me, params }) => {
    const id = parseId(params.id)
    if (id === undefined) throw problem.notFound()
    await engine.oneAsListed(incidentFacts, me, id)
    const found = await engine.db.tx({ clientId: me.clientId }, (tx) =>
      tx.rows<SimilarReport>(SIMILAR, [me.clientId, id]),
    )
    return hydraCollection(found.map((one) => ({ '@id': iriOf(incidentFacts, one.id), ...one })))
  },
}
