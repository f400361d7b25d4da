import { deviceStorage, type StoredValue, tabStorage } from './browser-storage.ts'

/** Owner of stored data: the signed-in person and, during an impersonation, the person who is impersonating them. */
export interface OwnerIdentity {
  readonly id: number
  readonly client: { readonly id: number }
  readonly original: { readonly id: number; readonly clientId: number } | null
}

/** Returns the key of an owner of stored data: `client/user/impersonator`, or `nobody` if nobody is signed in. */
export const ownerKeyOf = (person: OwnerIdentity | undefined): string =>
  person ? `${person.client.id}/${person.id}/${person.original?.id ?? ''}` : 'nobody'

/**
 * Returns the owner of queued requests and cached responses; undefined while impersonating, because nothing is then
 * stored.
 */
export const offlineOwnerOf = (person: OwnerIdentity | undefined): string | undefined =>
  person && !person.original ? ownerKeyOf(person) : undefined

/**
 * Returns true if a key that starts with an owner's key belongs to this person, including while they impersonate
 * somebody.
 */
export function isOwnedBy(person: OwnerIdentity, key: string): boolean {
  const { original } = person
  const self = original ? { client: original.clientId, id: original.id } : { client: person.client.id, id: person.id }
  const [client, id, impersonator] = key.split('/')
  return (
    impersonator === String(self.id) ||
    (impersonator === '' && client === String(self.client) && id === String(self.id))
  )
}

/** Prefix of the keys under which a tab, or this device, stores a person's values. */
const TYPED = 'stanchion-typed'

/** Returns access to a value that this tab stores for one person until they sign out. */
export const tabValueForPerson = <T>(person: OwnerIdentity | undefined, name: string): StoredValue<T> =>
  tabStorage.json(`${TYPED} ${ownerKeyOf(person)} ${name}`)

/**
 * Returns access to input that a person has not saved yet. It is stored in this tab and, except during an
 * impersonation, on this device, so that it survives a closed tab. This tab's value takes precedence. `write` returns false unless this device stores the value.
 */
export function inputStoredFor<T>(person: OwnerIdentity | undefined, name: string): StoredValue<T> {
  const tab = tabValueForPerson<T>(person, name)
  const owner = offlineOwnerOf(person)
  const device = owner && deviceStorage.json<T>(`${TYPED} ${owner} ${name}`)
  if (!device) return { read: tab.read, write: (value) => tab.write(value) && value === undefined }
  return {
    read: () => tab.read() ?? device.read(),
    write: (value) => {
      tab.write(value)
      return device.write(value)
    },
  }
}

/**
 * Returns access to the stored fields of a draft, by the draft's key. The fields are stored when the draft's page
 * closes, and kept until the draft is opened again.
 */
export const draftSavedOnClose = <T>(key: string): StoredValue<T> => tabStorage.json(`${TYPED} left ${key}`)

/** Start of the keys of drafts that people type without signing in. */
export const VISITOR_DRAFT_PREFIX = 'nobody/'

/** Returns access to a visitor's draft, by the draft's key. It stays in the tab, so that the next visitor can't read it. */
export const visitorDraft = <T>(key: string): StoredValue<T> => tabStorage.json(`${TYPED} visitor ${key}`)

const RECENT = 'stanchion-recent'

/** Returns access to the stored list of records that a person has opened on this device. */
export const recentRecordsFor = (person: OwnerIdentity): StoredValue<unknown> =>
  deviceStorage.json(`${RECENT} ${ownerKeyOf(person)}`)

/** Owner who last signed in using this browser. Cached responses are shown only to this owner. */
export const lastSignedInOwner = deviceStorage.text('stanchion-who')

/** Removes all unsaved input from this tab and this device. */
export function clearUnsavedInput(): void {
  tabStorage.removeAll(TYPED)
  deviceStorage.removeAll(TYPED)
}

/** Removes all users’ recent records from this device. */
export const clearRecentRecords = (): void => deviceStorage.removeAll(RECENT)
