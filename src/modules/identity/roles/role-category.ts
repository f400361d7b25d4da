import { flag, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'

/** Category that groups roles in pickers. */
export const roleCategory = resource({
  type: 'RoleCategory',
  service: 'portal',
  path: 'role_categories',
  table: 'role_category',
  tenant: 'shared',
  title: 'name',
  order: ['name'],
  unpaginated: true,
  fields: {
    name: text({ required: true, order: true }),
    internal: flag({ filter: true }),
    retired: flag({ filter: true }),
  },
  allow: {
    read: 'member',
    create: 'ROLE_ROLES_ADMIN',
    update: 'ROLE_ROLES_ADMIN',
    rows: [{ unless: 'nobody', only: only.off('internal') }],
  },
})
