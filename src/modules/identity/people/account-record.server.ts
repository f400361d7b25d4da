import { problem } from '#kernel/errors.ts'
import { type Field, labelOf } from '#kernel/fields.ts'
import type { Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import type { Where } from '#server/data/where.ts'
import type { RecordReader } from '#server/engine/types.ts'
import type { AccountRecord } from './account-record.ts'

type AccountValues = Readonly<Record<string, unknown>>

/** Finds the record linked to an account, if there is one. */
export async function findAccountRecord<R extends Resource>(
  c: Pick<RecordReader, 'find'>,
  { resource, account }: AccountRecord<R>,
  userId: number,
): Promise<RowOf<R> | undefined> {
  const [found] = await c.find(resource, { [account]: userId } as Where<R>)
  return found
}

/** Throws 409 if a change sets a field that follows the account, or links the record to another account. */
export function assertFollowsAccount<R extends Resource>(
  { resource, account, follows, holds }: AccountRecord<R>,
  before: RowOf<R>,
  changes: ValuesOf<R>,
): void {
  const [was, is]: [AccountValues, AccountValues] = [before, changes]
  if (was[account] === null) return
  if (account in is)
    throw problem.conflict(
      `This is ${String(was[resource.title ?? 'id'])}'s record, with ${holds}. Make a new one for somebody else.`,
    )
  if (follows.some((name) => is[name] !== undefined && is[name] !== was[name])) {
    const names = follows.map((name) => labelOf(name, resource.fields[name] as Field).toLowerCase())
    throw problem.conflict(
      `The ${names.join(' and ')} ${names.length > 1 ? 'are those' : 'is that'} of the account. Please change ${names.length > 1 ? 'them' : 'it'} there.`,
    )
  }
}
