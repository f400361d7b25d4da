import { flag, integer } from '#kernel/fields.ts'

/** Number of people asked to sign the revision in force who have not, and of signatures carried forward to it. */
export const signatureCountFields = {
  asked: integer({ readonly: true, notNull: true, column: 'asked_count' }),
  missing: integer({ readonly: true, notNull: true, column: 'missing_count' }),
  carried: integer({ readonly: true, notNull: true, column: 'carried_count' }),
  waiting: flag({ readonly: true, filter: true, column: 'waits_for_signatures', label: 'Awaiting signatures' }),
} as const
