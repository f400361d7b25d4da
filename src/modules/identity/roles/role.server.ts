import { requireCurrentProof } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { role, roleCategory } from './role.ts'

interface Roles {
  readonly categories: readonly { readonly name: string; readonly internal: boolean }[]
  readonly roles: readonly {
    readonly name: string
    readonly label: string
    readonly description: string
    readonly category: string
    readonly internal: boolean
  }[]
}

/** Reference data: the roles and their categories. */
const roleReference: ReferenceData = {
  name: 'roles',
  edition: 4,
  load: async (c) => {
    const { categories, roles }: Roles = readReferenceFile('roles.json')
    await insertMissingRows(c, roleCategory, 'name', categories)
    const ids = new Map((await c.find(roleCategory, {})).map((known) => [known.name, known.id]))
    await insertMissingRows(
      c,
      role,
      'name',
      roles.map(({ category, ...one }) => ({ ...one, category: ids.get(category) ?? null })),
    )
  },
}

/** Changing a role requires recent proof of identity, because the change affects everybody who holds the role. */
const roleBehaviour = behaviour(role, {
  beforeSave: async (c) => {
    await requireCurrentProof(c)
    return undefined
  },
})

export const roles = feature({
  resources: [role, roleCategory],
  behaviours: [roleBehaviour],
  referenceData: [roleReference],
})
