import { flag, instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { APPROVERS } from '../rights.ts'

/** What became of looking through a client's evidence once. */
export const evidenceCheck = resource({
  type: 'EvidenceCheck',
  service: 'safety',
  path: 'evidence_checks',
  table: 'evidence_check',
  tenant: 'own',
  order: ['-id'],
  fields: {
    checkedAt: instant({ column: 'at', readonly: true, notNull: true, order: true }),
    /** The entries that the chain had. */
    entries: integer({ readonly: true, notNull: true }),
    findings: integer({ readonly: true, notNull: true }),
  },
  allow: { read: APPROVERS },
  pack: 'safety',
})

/** Something that is untrue of a client's evidence. */
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
    /** When it was last found to be so. */
    lastAt: instant({ readonly: true, notNull: true }),
    /** No longer so when the evidence was last looked through. */
    gone: flag({ readonly: true, filter: true }),
  },
  allow: { read: APPROVERS },
  pack: 'safety',
})
