import type { RowOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { hasRole } from '#kernel/roles.ts'
import { meetsRowCondition, rowConditionFor } from '#kernel/row-rules.ts'
import type { user } from '#modules/identity/people/user.ts'
import { prepareSql } from '#server/data/values.ts'
import type { SqlConn } from '#server/db/db.ts'
import { ANY_DOCUMENT_READER_ROLES, DOCUMENT_ACCESS_RULES, DOCUMENT_PACKS } from '../rights.ts'
import { document } from '../types/document.ts'

type Account = Pick<RowOf<typeof user>, 'id' | 'clientId' | 'username' | 'name'> & { readonly roles: readonly string[] }
type ReadableDocument = Pick<
  RowOf<typeof document>,
  'current' | 'state' | 'audience' | 'author' | 'pack' | 'readerGroup'
> & {
  /** Client that owns the document, as an ID or IRI. */
  readonly client: number | string | null
}

/** Entitlements of an account whose company has the document. */
const packs = Object.fromEntries(DOCUMENT_PACKS.map((pack) => [pack, 'active'] as const))

/**
 * Returns true if an account may read a document of its own company, leaving aside the document's reader group. Accounts that may not read the document can't be
 * asked to sign it; the database enforces the same rule.
 */
export function canReadDocument({ id: userId, ...account }: Account, asked: ReadableDocument): boolean {
  const actor: Actor = { ...account, userId, scopes: [], packs }
  const rule = rowConditionFor(DOCUMENT_ACCESS_RULES, actor, 'read')
  return hasRole(actor, ANY_DOCUMENT_READER_ROLES) && (!rule || meetsRowCondition(document, rule, asked, actor))
}

const IN_GROUP = prepareSql(
  'SELECT u.id FROM user_account u WHERE u.client_id = $1::int AND u.id = ANY($2::bigint[]) AND $3::text IN (SELECT document_reader_groups(u.client_id, u.id))',
)

/** Returns the accounts of a company that may read a document of that company. */
export async function filterDocumentReaders<A extends Account>(
  conn: Pick<SqlConn, 'arrays'>,
  doc: ReadableDocument,
  accounts: readonly A[],
): Promise<readonly A[]> {
  const [first, ...others] = accounts.filter((account) => canReadDocument(account, doc))
  if (!first || !doc.readerGroup) return first ? [first, ...others] : []
  const ids = [first, ...others].map(({ id }) => id)
  const found = new Set((await conn.arrays(IN_GROUP, [first.clientId, ids, doc.readerGroup])).map(([id]) => Number(id)))
  return [first, ...others].filter(({ id }) => found.has(id))
}
