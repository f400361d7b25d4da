import { choice, integer, link, text } from '../fields.ts'
import { resource } from '../resource.ts'
import { only } from '../row-rules.ts'

/** A named view of a list: filters, search, order and columns. Only the view's owner can change it. */
export const savedView = resource({
  type: 'SavedView',
  service: 'portal',
  path: 'saved_views',
  table: 'saved_view',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  unpaginated: true,
  fields: {
    list: text({ required: true, max: 100, filter: true, label: 'List' }),
    name: text({ required: 'Please give the view a name', max: 60, order: true }),
    /** Query string in the list's URL, without the page number. */
    query: text({ default: '', max: 2000, label: 'Filters, order and columns' }),
    sharing: choice(
      [
        { value: 'me', label: 'Only me' },
        { value: 'everybody', label: 'Everybody in the company' },
      ],
      { default: 'me', filter: true, notWhileImpersonating: true, label: 'Visible to' },
    ),
    owner: integer({ readonly: true, notNull: true, column: 'user_id', label: 'Owner' }),
    ownerName: text({ readonly: true, notNull: true }),
  },
  allow: {
    create: 'member',
    update: 'member',
    delete: 'member',
    whileImpersonating: ['create', 'update', 'delete'],
    rows: [
      { unless: [], only: only.either(only.mine('owner'), only.among('sharing', ['everybody'])) },
      { unless: [], only: only.mine('owner'), verbs: ['update'] },
      { unless: ['ROLE_CLIENT_ADMIN'], only: only.mine('owner'), verbs: ['delete'] },
    ],
  },
})

/**
 * A user's settings for a list: columns and default view. A user has at most one record for each list. Other users
 * can't read it.
 */
export const listSetting = resource({
  type: 'ListSetting',
  service: 'portal',
  path: 'list_settings',
  table: 'list_setting',
  tenant: 'own',
  title: 'list',
  unpaginated: true,
  fields: {
    list: text({ required: true, max: 100, filter: true }),
    /** Column names in order, separated by commas. Empty for the list's default columns. */
    columns: text({ default: '', max: 2000 }),
    view: link(() => savedView, { label: 'Default view' }),
    owner: integer({ readonly: true, notNull: true, column: 'user_id', label: 'Owner' }),
  },
  allow: {
    create: 'member',
    update: 'member',
    whileImpersonating: ['create', 'update'],
    rows: [{ unless: [], only: only.mine('owner') }],
  },
})
