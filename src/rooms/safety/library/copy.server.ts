import type { Route } from '#server/behaviour.ts'
import { present } from '#server/engine.ts'
import { hazard, hazardControl } from './hazard.ts'

const MOST = 200

/** A hazard with its controls, as the client's own: how a template becomes something that can be changed. */
export const copyRoute: Route = {
  method: 'POST',
  path: `${hazard.url}/{id}/copy`,
  title: 'Copy a hazard and its controls to the own library',
  allow: hazard.allow.create ?? 'nobody',
  handle: async (c) => {
    const id = await c.engine.idOf(hazard, c.me, c.params.id as string)
    const from = await c.engine.one(hazard, c.me, id)
    const { members } = await c.engine.list(
      hazardControl,
      c.me,
      { hazard: String(id), retired: 'false', 'order[id]': 'asc' },
      { limit: MOST, offset: 0 },
      { count: false },
    )
    return c.engine.inTenant(c.me.clientId, { ...c.change(), resource: hazard }, async ({ work }) => {
      const made = work.create(hazard, {
        name: from.name,
        description: from.description,
        industries: from.industries,
        group: (from.group as { id: number }).id,
        author: (c.me.original ?? c.me).username,
      })
      await work.flush()
      for (const k of members)
        work.create(hazardControl, {
          hazard: made.row().id,
          name: k.name,
          description: k.description,
          tier: k.tier,
          author: (c.me.original ?? c.me).username,
        })
      return () => present(hazard, c.me, made)
    })
  },
}
