import { Problem, problem, violation } from '#kernel/errors.ts'
import { type Behaviour, behaviour } from '#server/behaviour.ts'
import { hazard, hazardControl, hazardGroup } from './hazard.ts'
import { ppe } from './ppe.ts'

type Prepare = NonNullable<Behaviour['prepare']>

const changedOn = ({ before, changes, now }: Pick<Parameters<Prepare>[0], 'before' | 'changes' | 'now'>) =>
  before && !Object.keys(changes).length ? undefined : { changedOn: Math.floor(now.epochMilliseconds / 1000) }

/** Industries are kept by name, as hazards are ranked by it. */
const hazardBehaviour = behaviour(hazard, {
  prepare: async (c) => {
    const names = (c.changes.industries ?? []) as string[]
    if (names.length) {
      const known = await c.work.tx.rows('SELECT 1 FROM industry WHERE name = ANY($1::text[])', [names])
      if (known.length !== new Set(names).size)
        throw problem.invalid([violation('industries', 'Please choose industries from the list')])
    }
    return changedOn(c)
  },
})

/** A group that still holds hazards stays: retiring it would hide them. */
const groupBehaviour = behaviour(hazardGroup, {
  prepare: async ({ before, changes, work }) => {
    if (!before || changes.retired !== true) return undefined
    const held = await work.tx.rows(
      'SELECT 1 FROM hazard WHERE client_id = $1 AND group_id = $2 AND NOT retired LIMIT 1',
      [work.clientId, before.id],
    )
    if (held.length) throw new Problem(409, 'This group still holds hazards. Move or retire them first.')
    return undefined
  },
})

/** A picture puts equipment in its category; one that is not offered is none. */
const ppeBehaviour = behaviour(ppe, {
  prepare: async ({ changes, work }) => {
    if (typeof changes.image !== 'string' || !changes.image) return undefined
    const [known] = await work.tx.rows<{ category: string }>(
      'SELECT category FROM available_ppe WHERE image = $1 AND NOT retired LIMIT 1',
      [changes.image],
    )
    if (!known) throw problem.invalid([violation('image', 'PPE Image must be selected')])
    return { category: known.category }
  },
})

export const libraryBehaviours = [
  hazardBehaviour,
  behaviour(hazardControl, { prepare: changedOn }),
  groupBehaviour,
  ppeBehaviour,
]
