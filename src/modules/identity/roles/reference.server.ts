import type { Reference } from '#server/engine/world.ts'
import { addMissing } from '#server/seed/fill.ts'
import { readReference } from '#server/seed/reference.ts'
import { role } from './role.ts'
import { roleCategory } from './role-category.ts'

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

/** Reference data: the roles. */
export const roleReference: Reference = {
  name: 'roles',
  edition: 4,
  load: async (c) => {
    const { categories, roles }: Roles = readReference('roles.json')
    await addMissing(c, roleCategory, 'name', categories)
    const ids = new Map((await c.find(roleCategory, {})).map((known) => [known.name, known.id]))
    await addMissing(
      c,
      role,
      'name',
      roles.map(({ category, ...one }) => ({ ...one, category: ids.get(category) ?? null })),
    )
  },
}
