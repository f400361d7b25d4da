import type { Resource } from '#kernel/resource.ts'

/**
 * The relation of a resource to accounts: its records are people, and each may have an account of which it is the only record. The database
 * keeps the fields that follow the account the same, and retires the record with it.
 */
export interface AccountRecord<R extends Resource> {
  readonly resource: R
  /** The link to the account. */
  readonly account: keyof R['fields'] & string
  /** Fields that are changed in the account alone. */
  readonly follows: readonly (keyof R['fields'] & string)[]
  /** Accounts that hold it have a record, and without it theirs is retired. */
  readonly role: string
  /** What hangs on a record, so that it is given to nobody else: "their leads and notes". */
  readonly holds: string
}

export const accountRecord = <const R extends Resource>(relation: AccountRecord<R>): AccountRecord<R> => relation
