import { deviceStorage, type StoredValue, tabStorage } from './browser-storage.ts'

/** What decides whose data it is: the person at work, and the person behind an impersonation. */
export interface Person {
  readonly id: number
  readonly client: { readonly id: number }
  readonly original: { readonly id: number; readonly clientId: number } | null
}

/** Names the owner of stored data: `client/user/impersonator`. */
export const ownerOf = (person: Person | undefined): string =>
  person ? `${person.client.id}/${person.id}/${person.original?.id ?? ''}` : 'nobody'

/** The owner of queued requests and cached answers. Nothing is stored while impersonating. */
export const offlineOwner = (person: Person | undefined): string | undefined =>
  person && !person.original ? ownerOf(person) : undefined

/** Does a key that begins with an owner belong to this person, as themselves or while impersonating? */
export function isOwnedBy(person: Person, key: string): boolean {
  const { original } = person
  const self = original ? { client: original.clientId, id: original.id } : { client: person.client.id, id: person.id }
  const [client, id, impersonator] = key.split('/')
  return (
    impersonator === String(self.id) ||
    (impersonator === '' && client === String(self.client) && id === String(self.id))
  )
}

/** Every value of a tab that belongs to a person has a key that begins so. */
const OWNED_IN_TAB = 'stanchion-typed'

/** A value of one person in this tab, until they sign out. */
export const ownTabValue = <T>(person: Person | undefined, name: string): StoredValue<T> =>
  tabStorage.json(`${OWNED_IN_TAB} ${ownerOf(person)} ${name}`)

/** The fields of a draft, by its key, from the moment its page closes until it is opened again. */
export const closingDraft = <T>(key: string): StoredValue<T> => tabStorage.json(`${OWNED_IN_TAB} left ${key}`)

const RECENT = 'stanchion-recent'

/** The records that a person has opened on this device. */
export const recentRecords = (person: Person): StoredValue<unknown> =>
  deviceStorage.json(`${RECENT} ${ownerOf(person)}`)

/** The owner who last signed in with this browser: cached answers are shown to nobody else. */
export const lastOwner = deviceStorage.text('stanchion-who')

/** Removes everything that people have typed in this tab. */
export const forgetTab = (): void => tabStorage.removeAll(OWNED_IN_TAB)

/** Removes the names of records that anybody has opened on this device. */
export const forgetRecent = (): void => deviceStorage.removeAll(RECENT)
