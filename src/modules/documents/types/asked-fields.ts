import { flag, integer } from '#kernel/fields.ts'

/** How many are asked to sign the revision in force and have not; and how many signatures of earlier revisions hold for it. */
export const askedFields = {
  asked: integer({ readonly: true, notNull: true, column: 'asked_count' }),
  missing: integer({ readonly: true, notNull: true, column: 'missing_count' }),
  carried: integer({ readonly: true, notNull: true, column: 'carried_count' }),
  waiting: flag({ readonly: true, filter: true, column: 'waits_for_signatures', label: 'Waiting for signatures' }),
} as const
