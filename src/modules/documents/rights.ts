import type { Roles } from '#kernel/roles.ts'
import { only, type RowRule } from '#kernel/row-rules.ts'

/** Who writes safety documents. */
export const AUTHORS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_AUTHOR', 'ROLE_SAFETY_ADMIN'] as const
/** Who decides what is in force. */
export const APPROVERS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'] as const
export const READERS = [...AUTHORS, 'ROLE_EMPLOYEE', 'ROLE_STAFF'] as const
/** Who may sign on behalf of somebody who can't. */
export const SIGN_FOR_OTHERS = [...APPROVERS, 'ROLE_SIGN_ON_BEHALF'] as const
/** Who sees how others have signed: the drawing itself. */
export const INK = [...AUTHORS] as const
/** Who of the provider keeps the templates of client 0. */
export const KEEPERS: Roles = 'ROLE_SAFETY_ADMIN'

/**
 * Of the provider's documents a client's people see what is in force, and is for them: its approvers too, who answer for their own
 * company's. Of their own, those below author see what is in force, and is
 * for them; authors what is no draft, and is for them, and their own; who decides what is in force, all.
 */
export const SEEN: readonly RowRule[] = [
  {
    unless: [],
    only: only.either(only.ofMyCompany('client'), only.both(only.on('current'), only.forMe('audience'))),
    butWide: true,
  },
  { unless: AUTHORS, only: only.on('current') },
  {
    unless: APPROVERS,
    only: only.either(only.mine('author'), only.both(only.notAmong('state', ['draft']), only.forMe('audience'))),
  },
]
/** Without the right to sign for others, people sign for themselves, and have visitors sign. */
export const SIGNS: RowRule = {
  unless: SIGN_FOR_OTHERS,
  only: only.both(only.mineOrNobodys('user'), only.notAmong('method', ['on behalf'])),
  verbs: ['create'],
}
/** What belongs to a document is seen with it. */
export const SEEN_WITH: readonly RowRule[] = [{ unless: [], only: only.ofReadable('document') }]
/**
 * Lines that say what a document says: who reaches every client reads another's with the document, which leaves word of it, and not as a list.
 */
export const READ_WITH: readonly RowRule[] = [
  ...SEEN_WITH,
  { unless: [], only: only.ofMyCompany('client'), withRecord: true },
]
/** The same of links of the chain, which say who did what to other records too. */
export const SEEN_IN_CHAIN: readonly RowRule[] = [
  { unless: [], only: only.either(only.ofReadable('document'), { field: 'document', is: "nobody's" }) },
]
