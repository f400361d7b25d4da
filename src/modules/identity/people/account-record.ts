import type { Resource } from '#kernel/resource.ts'

/**
 * Relation between a resource and accounts. The resource's records are people. Each record may have one account, and
 * each account has at most one record. The database copies the account's fields to the record. If a role is required, it
 * retires the record when the account is retired.
 */
export interface AccountRecordRelation<R extends Resource> {
  readonly resource: R
  /** Name of the field that links a record to its account. */
  readonly account: keyof R['fields'] & string
  /** Fields copied from the account. They can be changed only in the account. */
  readonly follows: readonly (keyof R['fields'] & string)[]
  /** Role required for a record, if any. If the account loses this role, the record is retired. */
  readonly role?: string
  /**
   * Data that belongs to the record, such as "their leads and notes". Because of this data, the record can't be linked
   * to another account.
   */
  readonly holds: string
}

export const defineAccountRecordRelation = <const R extends Resource, const T extends { readonly role?: string }>(
  relation: AccountRecordRelation<R> & T,
): AccountRecordRelation<R> & T => relation
