import { problem, violation } from '#kernel/errors.ts'
import { readId } from '#kernel/iri.ts'
import { type Instant, toUnix } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { present } from '#server/engine/field-access.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { packIndustry, riskIndustry } from '../industry.ts'
import { hazard, hazardControl, hazardGroup } from './hazard.ts'
import { availablePpe, ppe } from './ppe.ts'
import { libraryReference } from './reference.server.ts'
import { assertNameUnused } from './same-name.server.ts'
import { ppeDrawingRoute } from './signs.server.ts'

/** Copies a hazard with its controls to the client's own library, for example a template to adapt. */
const copyHazardRoute: Route = {
  method: 'POST',
  path: `${hazard.url}/{id}/copy`,
  title: 'Copy a hazard and its controls to one’s own library',
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

/** Sets the time of change on records that are written. */
const stampChange = (c: { readonly before: unknown; readonly changes: object; readonly now: Instant }) =>
  c.before && !Object.keys(c.changes).length ? undefined : { changedOn: toUnix(c.now) }

/** Industries are saved by name, since hazards are ranked by it. */
const hazardBehaviour = behaviour(hazard, {
  beforeSave: async (c) => {
    const names = c.changes.industries ?? []
    const known = names.length ? await c.find(riskIndustry, { name: names }) : []
    if (known.length !== new Set(names).size)
      throw problem.invalid([violation('industries', 'Please choose industries from the list')])
    await assertNameUnused(c, hazard, { thing: 'hazard' })
    return stampChange(c)
  },
  // Retires and restores the controls together with their hazard.
  afterSave: async (c) => {
    const { before, changes } = c
    if (!before || changes.retired === undefined) return
    const { retired } = changes
    const which = retired ? { retired: false } : { retired: true, retiredWithHazard: true }
    for (const control of await c.find(hazardControl, { hazard: before.id, ...which }))
      if (control.clientId === c.clientId)
        await c.change(hazardControl, control, { retired, retiredWithHazard: retired === true })
  },
})

/** A control restored on its own is no longer marked as retired with its hazard. */
const controlBehaviour = behaviour(hazardControl, {
  beforeSave: async (c) => {
    await assertNameUnused(c, hazardControl, { thing: 'control', alike: { hazard: c.values.hazard } })
    return {
      ...stampChange(c),
      ...(c.before && c.changes.retired !== undefined && c.changes.retiredWithHazard === undefined
        ? { retiredWithHazard: false }
        : {}),
    }
  },
})

/** A group with hazards can't be retired: that would hide them. */
const groupBehaviour = behaviour(hazardGroup, {
  beforeSave: async (c) => {
    if (!c.before || !c.changes.retired) return undefined
    const held = await c.find(hazard, { group: c.before.id, retired: false })
    if (held.length) throw problem.conflict('This group still has hazards. Move or retire them first.', 'in_use')
    return undefined
  },
})

/** The picture sets the category of the equipment; pictures that are not offered are refused. */
const ppeBehaviour = behaviour(ppe, {
  beforeSave: async (c) => {
    const { image } = c.changes
    await assertNameUnused(c, ppe, { thing: 'PPE item' })
    if (!image) return undefined
    const [known] = await c.find(availablePpe, { image, retired: false })
    if (!known) throw problem.invalid([violation('image', 'PPE Image must be selected')])
    return { category: known.category }
  },
})

const libraryBehaviours = [hazardBehaviour, controlBehaviour, groupBehaviour, ppeBehaviour]

export const library = feature({
  pack: 'safety',
  resources: [hazardGroup, hazard, hazardControl, riskIndustry, packIndustry, availablePpe, ppe],
  behaviours: libraryBehaviours,
  routes: [copyHazardRoute, ppeDrawingRoute],
  referenceData: [libraryReference],
  seeds: () => import('./demo.server.ts'),
})
