import { deviceStorage, type StoredValue, tabStorage } from './browser-storage.ts'

/** The owner of stored data: the signed-in person, and the person behind an impersonation. */
export interface OwnerIdentity {
  readonly id: number
  readonly client: { readonly id: number }
  readonly original: { readonly id: number; readonly clientId: number } | null
}

/** The key of an owner of stored data: `client/user/impersonator`. */
export const ownerKeyOf = (person: OwnerIdentity | undefined): string =>
  person ? `${person.client.id}/${person.id}/${person.original?.id ?? ''}` : 'nobody'

/** The owner of queued requests and cached responses; undefined while impersonating, when nothing is stored. */
export const offlineOwnerOf = (person: OwnerIdentity | undefined): string | undefined =>
  person && !person.original ? ownerKeyOf(person) : undefined

/** Whether a key that starts with an owner belongs to this person, impersonating or not. */
export function isOwnedBy(person: OwnerIdentity, key: string): boolean {
  const { original } = person
  const self = original ? { client: original.clientId, id: original.id } : { client: person.client.id, id: person.id }
  const [client, id, impersonator] = key.split('/')
  return (
    impersonator === String(self.id) ||
    (impersonator === '' && client === String(self.client) && id === String(self.id))
  )
}

/** The prefix of all keys in a tab whose values belong to a person. */
const OWNED_IN_TAB = 'stanchion-typed'

/** A value of one person in this tab, stored until they sign out. */
export const tabValueOfPerson = <T>(person: OwnerIdentity | undefined, name: string): StoredValue<T> =>
  tabStorage.json(`${OWNED_IN_TAB} ${ownerKeyOf(person)} ${name}`)

/** The fields of a draft, by its key: stored when its page closes, until it is opened again. */
export const draftSavedOnClose = <T>(key: string): StoredValue<T> => tabStorage.json(`${OWNED_IN_TAB} left ${key}`)

const RECENT = 'stanchion-recent'

/** The records that a person has opened on this device. */
export const recentRecordsOf = (person: OwnerIdentity): StoredValue<unknown> =>
  deviceStorage.json(`${RECENT} ${ownerKeyOf(person)}`)

/** The owner who last signed in in this browser: cached responses are shown to nobody else. */
export const lastSignedInOwner = deviceStorage.text('stanchion-who')

/** Removes all input that people have typed in this tab. */
export const clearTabInput = (): void => tabStorage.removeAll(OWNED_IN_TAB)

/** Removes the recent records of all people from this device. */
export const clearRecentRecords = (): void => deviceStorage.removeAll(RECENT)
