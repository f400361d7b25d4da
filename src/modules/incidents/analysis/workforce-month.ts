import { date, integer } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'

/** Maximum number of hours, more than any client works in a month. */
const MAX_HOURS = 100_000_000
const MAX_HEADCOUNT = 1_000_000

/** Hours worked and people employed in a month, entered by the company. Null: not entered. */
export const workforceMonth = resource({
  type: 'IncidentWorkforceMonth',
  service: 'safety',
  path: 'incident_workforce_months',
  table: 'incident_workforce_month',
  tenant: 'own',
  order: ['-month'],
  fields: {
    /** First day of the month. */
    month: date({ required: 'Please choose a month', filter: true, order: true }),
    hours: integer({ min: 0, max: MAX_HOURS, label: 'Hours worked' }),
    headcount: integer({ min: 0, max: MAX_HEADCOUNT, label: 'Employees' }),
  },
  allow: {
    read: INCIDENT_BOOK_ROLES,
    create: DOCUMENT_APPROVER_ROLES,
    update: DOCUMENT_APPROVER_ROLES,
    whileImpersonating: ['create', 'update'],
  },
  pack: 'safety',
})
