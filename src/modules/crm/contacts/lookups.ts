import { flag, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** Reference lists of the CRM: readable by all staff, edited by its administrators. */
const lookup = {
  service: 'crm',
  tenant: 'shared',
  unpaginated: true,
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
} as const

export const businessType = resource({
  ...lookup,
  type: 'BusinessType',
  path: 'business_types',
  table: 'business_type',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: true, filter: 'partial', order: true }),
    section: text({ default: '' }),
    retired: flag({ filter: true }),
  },
})

export const city = resource({
  ...lookup,
  type: 'City',
  path: 'cities',
  table: 'city',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: true, filter: 'start', order: true }),
    county: text({ default: '' }),
    retired: flag({ filter: true }),
  },
})

/** Lead source. */
export const cameFrom = resource({
  ...lookup,
  type: 'CameFrom',
  path: 'came_froms',
  table: 'came_from',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: true, filter: 'partial', order: true }),
    web: flag({ filter: true, label: 'Online', help: 'Leads from this source count as online enquiries.' }),
    retired: flag({ filter: true }),
  },
})
