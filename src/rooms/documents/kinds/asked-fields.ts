import { flag, integer } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { signature } from './document.ts'

/**
 * How many have signed a revision; how many are asked to sign the one in force and have not; and how many signatures a minor change carried
 * over to it.
 */
export const askedFields = {
  signatures: integer({
    readonly: true,
    always: true,
    counts: { of: (): Resource => signature, by: 'document', place: 'place' },
  }),
  asked: integer({ readonly: true, always: true, column: 'asked_count' }),
  missing: integer({ readonly: true, always: true, column: 'missing_count' }),
  carried: integer({ readonly: true, always: true, column: 'carried_count' }),
  waiting: flag({ readonly: true, filter: true, column: 'waits_for_signatures', label: 'Waiting for signatures' }),
} as const
