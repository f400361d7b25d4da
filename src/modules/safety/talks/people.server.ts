import { type Violation, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { foldName, isName, isSameName } from '#kernel/signature.ts'
import { findAccountsByName, type NamedAccount } from '#modules/identity/people/names.server.ts'
import type { Context } from '#server/engine/types.ts'
import type { talkAttendee } from './toolbox-talk.ts'

/** Attendee of a talk, stored or to be added. */
export type AttendeeDraft = Partial<RowOf<typeof talkAttendee>>

export const MAX_ATTENDEES = 1000

/** True if signed by the attendee's own account. */
export const isSignedByOwnAccount = ({ signedAt, user, signer }: AttendeeDraft): boolean =>
  Boolean(signedAt && user && user === signer)

export const isNewlySigned = (person: AttendeeDraft, former: readonly AttendeeDraft[]): boolean =>
  Boolean(person.signedAt) && !former.some((p) => p.id === person.id && p.signedAt)

/** True if the person is already on the list under this name. */
export const isAlreadyListed = (person: AttendeeDraft, former: readonly AttendeeDraft[]): boolean =>
  former.some((p) => p.id === person.id && p.name === person.name)

/** Links people to the account whose name is unique; others are visitors. A username is replaced by its name. */
export async function linkAttendeeAccounts(c: Context, people: readonly AttendeeDraft[]): Promise<AttendeeDraft[]> {
  const names = people.flatMap(({ name }) => (name?.trim() ? [name] : []))
  const accounts = names.length ? await findAccountsByName(c, names) : new Map<string, NamedAccount[]>()
  return people.map((person) => {
    const { name = '' } = person
    const [one, ...others] = accounts.get(name) ?? []
    const account = others.length ? undefined : one
    const called = account && !isSameName(account.name, name) ? account.name : name
    return { ...person, name: called, user: account?.id ?? null, visitor: !one }
  })
}

/** Validates names to be added to a list, with their positions. */
export function validateAttendeeNames(
  people: readonly AttendeeDraft[],
  isNew: (person: AttendeeDraft) => boolean,
  at: (i: number) => string,
): Violation[] {
  const kept = new Set(people.filter((p) => !isNew(p)).map(keyOf))
  return people.flatMap((person, i) => {
    if (!isNew(person)) return []
    if (!isName(person.name)) return [violation(at(i), 'Please enter the name of a person')]
    const key = keyOf(person)
    const isThere = kept.has(key)
    kept.add(key)
    return isThere ? [violation(at(i), onTheList(person), 'duplicate')] : []
  })
}

/** Key that identifies a person on a list. A person signed for on their behalf may still sign in a row of their own. */
const keyOf = ({ user, method, signedAt, name = '' }: AttendeeDraft): string => {
  const behalf = signedAt && method === 'on behalf' ? 'for ' : ''
  return user ? `${behalf}${user}` : `${behalf}"${foldName(name)}"`
}

const onTheList = ({ name, visitor }: AttendeeDraft) =>
  visitor
    ? `${name} is already on the list. Please add their company to tell two people of the same name apart`
    : `${name} is already on the list.`
