import { flag, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'

/** Everybody at a company. */
const SITE_READER_ROLES = [
  'ROLE_CLIENT_ADMIN',
  'ROLE_SAFETY_AUTHOR',
  'ROLE_SAFETY_ADMIN',
  'ROLE_INCIDENT_READER',
  'ROLE_TRAINING',
  'ROLE_EQUIPMENT',
  'ROLE_EMPLOYEE',
] as const

/** Address of an incident or a site. Its postcode is checked, unless the place has none. */
export const placeFields = {
  addressLine1: text({ default: '', max: 200, label: 'Address line 1' }),
  addressLine2: text({ default: '', max: 200, label: 'Address line 2' }),
  city: text({ default: '', max: 100 }),
  county: text({ default: '', max: 100 }),
  postcode: text({ default: '', max: 12 }),
  noPostcode: flag({ label: 'The place has no postcode' }),
} as const

/** Site of a company, where employees work and report incidents. */
export const incidentSite = resource({
  type: 'IncidentSite',
  service: 'safety',
  path: 'incident_sites',
  table: 'incident_site',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  unpaginated: true,
  fields: {
    name: text({
      required: 'Please enter the name of the site',
      max: 120,
      stripInvisible: true,
      filter: 'partial',
      order: true,
    }),
    ...placeFields,
    retired: flag({ filter: true }),
  },
  allow: {
    read: SITE_READER_ROLES,
    create: DOCUMENT_APPROVER_ROLES,
    update: DOCUMENT_APPROVER_ROLES,
    whileImpersonating: ['create', 'update'],
  },
  pack: 'safety',
})
