import type { Roles } from '#kernel/roles.ts'
import { only, type RowRule } from '#kernel/row-rules.ts'

/** Roles that may write safety documents. */
export const AUTHORS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_AUTHOR', 'ROLE_SAFETY_ADMIN'] as const
/** Roles that may approve documents and withdraw them. */
export const APPROVERS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'] as const
export const READERS = [...AUTHORS, 'ROLE_EMPLOYEE', 'ROLE_STAFF'] as const
/** Roles that may sign on behalf of others. */
export const SIGN_FOR_OTHERS = [...APPROVERS, 'ROLE_SIGN_ON_BEHALF'] as const
/** Roles that may see other people's drawn signatures. */
export const INK = [...AUTHORS] as const
/** Provider roles that manage the templates of client 0. */
export const KEEPERS: Roles = 'ROLE_SAFETY_ADMIN'

/**
 * Row access. Of the provider's documents, client users including approvers see what is in force and meant for them. Of
 * their own, users below author see what is in force and meant for them; authors also complete documents meant for them
 * and their own drafts; approvers see all.
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
/** Without permission to sign for others, people sign for themselves and let visitors sign. */
export const SIGNS: RowRule = {
  unless: SIGN_FOR_OTHERS,
  only: only.both(only.mineOrNobodys('user'), only.notAmong('method', ['on behalf'])),
  verbs: ['create'],
}
export const SEEN_WITH: readonly RowRule[] = [{ unless: [], only: only.ofReadable('document') }]
/**
 * Rows with a document's content. Users with access to all clients read another client's rows with the document only,
 * which is logged, not as a list.
 */
export const READ_WITH: readonly RowRule[] = [
  ...SEEN_WITH,
  { unless: [], only: only.ofMyCompany('client'), withRecord: true },
]
/** The same for audit chain entries, which also concern other records. */
export const SEEN_IN_CHAIN: readonly RowRule[] = [
  { unless: [], only: only.either(only.ofReadable('document'), { field: 'document', is: "nobody's" }) },
]
