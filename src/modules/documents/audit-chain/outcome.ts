import { flag, instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES } from '../rights.ts'

/** Result of one check of a client's audit chain. */
export const evidenceCheck = resource({
  type: 'EvidenceCheck',
  service: 'safety',
  path: 'evidence_checks',
  table: 'evidence_check',
  tenant: 'own',
  order: ['-id'],
  fields: {
    checkedAt: instant({ column: 'at', readonly: true, notNull: true, order: true }),
    entries: integer({ readonly: true, notNull: true }),
    findings: integer({ readonly: true, notNull: true }),
  },
  allow: { read: DOCUMENT_APPROVER_ROLES },
  pack: 'safety',
})

/** A mismatch between a client's records and its audit chain. */
export const evidenceFinding = resource({
  type: 'EvidenceFinding',
  service: 'safety',
  path: 'evidence_findings',
  table: 'evidence_finding',
  tenant: 'own',
  order: ['-id'],
  fields: {
    subjectType: text({ readonly: true, filter: true }),
    subjectId: integer({ readonly: true, filter: true }),
    sentence: text({ readonly: true, notNull: true }),
    foundAt: instant({ readonly: true, notNull: true, order: true }),
    /** Time of the last check that found the mismatch. */
    lastAt: instant({ readonly: true, notNull: true }),
    /** True if the last check no longer found the mismatch. */
    gone: flag({ readonly: true, filter: true }),
  },
  allow: { read: DOCUMENT_APPROVER_ROLES },
  pack: 'safety',
})
