import { problem } from '#kernel/errors.ts'
import { readId } from '#kernel/iri.ts'
import { present } from '#server/engine/field-access.ts'
import type { Route } from '#server/engine/route.ts'
import { hazard, hazardControl } from './hazard.ts'

/** A hazard with its controls, as the client's own: how a template becomes something that can be changed. */
export const copyRoute: Route = {
  method: 'POST',
  path: `${hazard.url}/{id}/copy`,
  title: 'Copy a hazard and its controls to the own library',
  allow: hazard.allow.create ?? 'nobody',
  handle: (c) =>
    c.engine.inTenant(c.me.clientId, { ...c.change(), resource: hazard }, async (unit) => {
      const id = readId(c.params.id)
      const from = id === undefined ? undefined : await unit.get(hazard, id)
      if (!from) throw problem.notFound()
      const { name, description, industries, group } = from
      const made = await unit.create(hazard, { name, description, industries, group, keepBoth: true })
      const { id: copy } = await made.saved()
      for (const control of await unit.find(hazardControl, { hazard: from.id, retired: false })) {
        const { name, description, tier } = control
        await unit.create(hazardControl, { hazard: copy, name, description, tier, keepBoth: true })
      }
      return () => present(hazard, c.me, made)
    }),
}
