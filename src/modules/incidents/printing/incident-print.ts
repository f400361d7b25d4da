import { choice, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { incidentFacts } from '../incident-facts.ts'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'

export const PRINT_FORMS = [
  { value: 'record', label: 'Accident record' },
  { value: 'summary', label: 'Anonymous summary' },
] as const
export type PrintForm = (typeof PRINT_FORMS)[number]['value']

const inside = { readonly: true, visible: 'nobody' } as const

/**
 * Stored PDF of a closed incident, with its checksum in the client's audit chain. It is reused until its contents
 * change, for example by an amendment.
 */
export const incidentPrint = resource({
  type: 'IncidentPrint',
  service: 'safety',
  path: 'incident_prints',
  table: 'incident_print',
  appendOnly: true,
  tenant: 'own',
  order: ['-id'],
  fields: {
    report: link(() => incidentFacts, { readonly: true, notNull: true, filter: true }),
    form: choice(PRINT_FORMS, { readonly: true, notNull: true, filter: true }),
    /** Fingerprint of the contents. */
    madeOf: text({ ...inside, notNull: true }),
    /** SHA-256 of the file in hexadecimal. */
    checksum: text({ readonly: true, notNull: true, filter: true }),
    bytes: integer({ readonly: true, notNull: true }),
    fileKey: text({ ...inside, notNull: true }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: INCIDENT_BOOK_ROLES, rows: [{ unless: [], only: only.ofReadable('report') }] },
  pack: 'safety',
})
