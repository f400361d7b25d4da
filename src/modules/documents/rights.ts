import type { Roles } from '#kernel/roles.ts'
import { only, type RowRule } from '#kernel/row-rules.ts'

/** Roles that may write safety documents. */
export const DOCUMENT_AUTHORS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_AUTHOR', 'ROLE_SAFETY_ADMIN'] as const
/** Roles that may approve documents and withdraw them. */
export const DOCUMENT_APPROVERS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'] as const
export const DOCUMENT_READERS = [...DOCUMENT_AUTHORS, 'ROLE_EMPLOYEE', 'ROLE_STAFF'] as const
/** Roles that may sign on behalf of others. */
export const PROXY_SIGNERS = [...DOCUMENT_APPROVERS, 'ROLE_SIGN_ON_BEHALF'] as const
/** Roles that may see other people's drawn signatures. */
export const DRAWING_READERS = [...DOCUMENT_AUTHORS] as const
/** Provider roles that manage the templates of client 0. */
export const TEMPLATE_MANAGERS: Roles = 'ROLE_SAFETY_ADMIN'

/**
 * Row access. Of the provider's documents, client users including approvers see what is in force and meant for them. Of
 * their own, users below author see what is in force and meant for them; authors also complete documents meant for them
 * and their own drafts; approvers see all.
 */
export const DOCUMENT_ACCESS_RULES: readonly RowRule[] = [
  {
    unless: [],
    only: only.either(only.ofMyCompany('client'), only.both(only.on('current'), only.forMe('audience'))),
    butWide: true,
  },
  { unless: DOCUMENT_AUTHORS, only: only.on('current') },
  {
    unless: DOCUMENT_APPROVERS,
    only: only.either(only.mine('author'), only.both(only.notAmong('state', ['draft']), only.forMe('audience'))),
  },
]
/** Without permission to sign for others, people sign for themselves and let visitors sign. */
export const SIGNING_RULE: RowRule = {
  unless: PROXY_SIGNERS,
  only: only.both(only.mineOrNobodys('user'), only.notAmong('method', ['on behalf'])),
  verbs: ['create'],
}
export const DOCUMENT_PART_RULES: readonly RowRule[] = [{ unless: [], only: only.ofReadable('document') }]
/**
 * Rows with a document's content. Users with access to all clients read another client's rows with the document only,
 * which is logged, not as a list.
 */
export const DOCUMENT_ROW_RULES: readonly RowRule[] = [
  ...DOCUMENT_PART_RULES,
  { unless: [], only: only.ofMyCompany('client'), withRecord: true },
]
/** The same for audit chain entries, which also concern other records. */
export const AUDIT_CHAIN_RULES: readonly RowRule[] = [
  { unless: [], only: only.either(only.ofReadable('document'), { field: 'document', is: "nobody's" }) },
]
