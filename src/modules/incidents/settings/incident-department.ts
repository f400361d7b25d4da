import { flag, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { INCIDENT_REPORTER_ROLES } from '../rights.ts'

/** Department in which incidents happen, or that supports others. */
export const incidentDepartment = resource({
  type: 'IncidentDepartment',
  service: 'safety',
  path: 'incident_departments',
  table: 'incident_department',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  unpaginated: true,
  fields: {
    name: text({
      required: 'Please enter the name of the department',
      max: 120,
      stripInvisible: true,
      filter: 'partial',
      order: true,
    }),
    support: flag({ filter: true, label: 'Support department' }),
    retired: flag({ filter: true }),
  },
  allow: {
    read: INCIDENT_REPORTER_ROLES,
    create: DOCUMENT_APPROVER_ROLES,
    update: DOCUMENT_APPROVER_ROLES,
    whileImpersonating: ['create', 'update'],
  },
  pack: 'safety',
})
