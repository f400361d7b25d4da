import { flag, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'

/** Category by which pickers group roles. */
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

/** A role that can be assigned to users. Only the provider can see internal roles. */
export const role = resource({
  type: 'Role',
  service: 'portal',
  path: 'roles',
  table: 'role',
  tenant: 'shared',
  title: 'label',
  order: ['label'],
  unpaginated: true,
  asksProof: true,
  fields: {
    name: text({ readonly: true, filter: true, order: true }),
    label: text({ required: true, order: true }),
    description: longText({ default: '', max: 1000 }),
    category: link(() => roleCategory, { embed: ['name'], filter: true }),
    internal: flag({ filter: true }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'member', update: 'ROLE_ROLES_ADMIN', rows: [{ unless: 'nobody', only: only.off('internal') }] },
})
