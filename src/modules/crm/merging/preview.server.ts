import { problem } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { firstOf } from '#server/data/filters.ts'
import type { Route } from '#server/engine/route.ts'
import { contact } from '../contacts/contact.ts'
import { mergeFingerprint, mergeObstacle } from './merge.server.ts'
import { countLeadRows } from './move.server.ts'
import { leadRelations } from './relations.ts'
import { differingFields, proposedFields, proposedSurvivor } from './values.ts'

/**
 * Preview of a merge: differing fields, proposed values, records to be moved, and the fingerprint needed for the merge.
 */
export const mergePreviewRoute: Route = {
  method: 'GET',
  path: `${contact.url}/{id}/merge-preview`,
  title: 'Preview merging another lead into this one',
  allow: 'ROLE_STAFF',
  query: { other: text({ help: 'Id of the lead to be merged into this one.' }) },
  handle: async (c) => {
    const { engine, actor, me } = c
    const ids = [await engine.idOf(contact, actor, c.params.id), readId(firstOf(c.query.other))]
    for (const id of ids) {
      if (id === undefined) throw problem.notFound()
      await engine.one(contact, actor, id)
    }
    const [survivor, other] = await engine.readIn(me.clientId, 'leads are compared by users who see both', (unit) =>
      Promise.all(ids.map((id) => unit.get(contact, id ?? 0))),
    )
    if (!survivor || !other) throw problem.notFound()
    const refusal = mergeObstacle(survivor, other) ?? null
    const moves = await engine.db.tx({ clientId: me.clientId }, (tx) =>
      countLeadRows((sql, values) => tx.rows(sql, values), leadRelations(engine.resources), me.clientId, other.id),
    )
    return {
      survivor: survivor.id,
      other: other.id,
      stays: proposedSurvivor(survivor, other).id,
      refusal,
      differs: differingFields(survivor, other),
      take: proposedFields(survivor, other),
      moves,
      fingerprint: mergeFingerprint(survivor, other),
    }
  },
}
