import type { Resource } from '#kernel/resource.ts'

/**
 * Links a resource to accounts: its records are people, and each may have an account, which has no other record of the
 * resource. The database copies the account's fields to the record, and retires the record with the account.
 */
export interface AccountRecordRelation<R extends Resource> {
  readonly resource: R
  /** The link to the account. */
  readonly account: keyof R['fields'] & string
  /** Fields that can be changed only in the account. */
  readonly follows: readonly (keyof R['fields'] & string)[]
  /** Role whose accounts have a record; a record whose account loses the role is retired. */
  readonly role: string
  /** Data that belongs to the record, so that it can't be linked to another account: "their leads and notes". */
  readonly holds: string
}

export const defineAccountRecordRelation = <const R extends Resource>(
  relation: AccountRecordRelation<R>,
): AccountRecordRelation<R> => relation
