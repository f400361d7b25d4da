import type { RowOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { meetsRowCondition, rowConditionFor } from '#kernel/row-rules.ts'
import type { user } from '#modules/identity/people/user.ts'
import { DOCUMENT_ACCESS_RULES, DOCUMENT_READER_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'

type Account = Pick<RowOf<typeof user>, 'id' | 'clientId' | 'username' | 'name'> & { readonly roles: readonly string[] }
type ReadableDocument = Pick<RowOf<typeof document>, 'current' | 'state' | 'audience' | 'author'> & {
  /** Client that owns the document, as an ID or IRI. */
  readonly client: number | string | null
}

/**
 * Returns true if an account may read a document of its own company. Accounts that may not read the document can't be
 * asked to sign it; the database enforces the same rule.
 */
export function canReadDocument({ id: userId, ...account }: Account, asked: ReadableDocument): boolean {
  const actor = { ...account, userId, scopes: [] }
  const rule = rowConditionFor(DOCUMENT_ACCESS_RULES, actor, 'read')
  return hasRole(actor, DOCUMENT_READER_ROLES) && (!rule || meetsRowCondition(document, rule, asked, actor))
}
