import { flag, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { storedFileFields } from '#modules/portal/files/uploaded-document.ts'
import { incidentFacts } from '../incident-facts.ts'
import { INCIDENT_READER_ROLE, INCIDENT_REPORTER_ROLES } from '../rights.ts'

/** Maximum number of photos and documents in an incident. */
export const MAX_INCIDENT_FILES = 20

/**
 * Photo or document of an incident. It is uploaded before its report, which then names it. Photos can show injuries, so
 * only readers of health details and the person who uploaded them see them.
 */
export const incidentFile = resource({
  type: 'IncidentFile',
  service: 'safety',
  path: 'incident_files',
  table: 'incident_file',
  tenant: 'own',
  title: 'name',
  order: ['id'],
  fields: {
    ...storedFileFields,
    /** Null until the report is received. */
    report: link(() => incidentFacts, { readonly: true, filter: true }),
    name: text({ readonly: true, notNull: true }),
    retired: flag({ readonly: true, filter: true }),
  },
  allow: {
    read: INCIDENT_REPORTER_ROLES,
    rows: [{ unless: INCIDENT_READER_ROLE, only: only.mine('author') }],
  },
  pack: 'safety',
})
