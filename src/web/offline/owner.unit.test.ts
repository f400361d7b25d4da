import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deviceStorage, tabStorage } from './browser-storage.ts'
import { removePersonData } from './forget.ts'
import { inputStoredFor, isOwnedBy, offlineOwnerOf, ownerKeyOf, recentRecordsFor, tabValueForPerson } from './owner.ts'

const person = (id: number, client: number, original: { id: number; clientId: number } | null = null) => ({
  id,
  client: { id: client },
  original,
})
const ann = person(7, 1)
const visiting = person(3, 2, { id: 7, clientId: 1 })

/** Creates a storage object whose keys are its own properties, as in a browser. */
function memoryStorage(): Storage {
  const methods = {
    getItem(key: string) {
      return Object.hasOwn(this, key) ? (this as Record<string, unknown>)[key] : null
    },
    setItem(key: string, value: string) {
      ;(this as Record<string, unknown>)[key] = value
    },
    removeItem(key: string) {
      delete (this as Record<string, unknown>)[key]
    },
  }
  return Object.create(methods) as Storage
}

beforeEach(() => {
  vi.stubGlobal('localStorage', memoryStorage())
  vi.stubGlobal('sessionStorage', memoryStorage())
})
afterEach(() => vi.unstubAllGlobals())

test('values stored in a tab are separate for each user and impersonator', () => {
  tabValueForPerson(ann, 'lead 5').write('typed')
  expect(tabValueForPerson(ann, 'lead 5').read()).toBe('typed')
  for (const other of [person(8, 1), person(7, 2), person(7, 1, { id: 9, clientId: 0 }), undefined])
    expect(tabValueForPerson(other, 'lead 5').read()).toBeUndefined()
  expect(ownerKeyOf(ann)).not.toBe(ownerKeyOf(visiting))
})

test('unsaved input survives a closed tab for its author only, and is not left on the device while impersonating', () => {
  inputStoredFor(ann, 'invoice').write('typed')
  inputStoredFor(visiting, 'invoice').write('for a client')
  vi.stubGlobal('sessionStorage', memoryStorage())
  expect(inputStoredFor(ann, 'invoice').read()).toBe('typed')
  expect(inputStoredFor(person(8, 1), 'invoice').read()).toBeUndefined()
  expect(inputStoredFor(visiting, 'invoice').read()).toBeUndefined()
})

test('unsaved input is reported as stored only if this device stores it', () => {
  expect(inputStoredFor(ann, 'form new').write('typed')).toBe(true)
  expect(inputStoredFor(visiting, 'form new').write('typed')).toBe(false)
  const setItem = () => {
    throw new Error('No space is left')
  }
  vi.stubGlobal('localStorage', { setItem })
  expect(inputStoredFor(ann, 'form new').write('more')).toBe(false)
  expect(inputStoredFor(ann, 'form new').read()).toBe('more')
})

test('a tab restores its own unsaved input, whatever another tab has stored since', () => {
  inputStoredFor(ann, 'invoice').write('here')
  const here = globalThis.sessionStorage
  vi.stubGlobal('sessionStorage', memoryStorage())
  inputStoredFor(ann, 'invoice').write('elsewhere')
  vi.stubGlobal('sessionStorage', here)
  expect(inputStoredFor(ann, 'invoice').read()).toBe('here')
})

test('while impersonating, no requests are queued and no responses are cached', () => {
  expect(offlineOwnerOf(ann)).toBe('1/7/')
  expect(offlineOwnerOf(visiting)).toBeUndefined()
})

test('a user owns the drafts of their own sessions and of their impersonations, and no others', () => {
  const keys = [ann, visiting, person(8, 1), person(7, 4), person(3, 2)].map((one) => `${ownerKeyOf(one)}/risk/1`)
  for (const one of [ann, visiting])
    expect(keys.map((key) => isOwnedBy(one, key))).toEqual([true, true, false, false, false])
})

test('signing out removes typed values and recent records but retains device settings', async () => {
  tabValueForPerson(ann, 'lead 5').write('typed')
  inputStoredFor(ann, 'invoice').write('typed')
  recentRecordsFor(ann).write([{ path: '/crm/contact/view/5' }])
  deviceStorage.text('stanchion-dialling').write('sip')
  await removePersonData(ann)
  expect(tabValueForPerson(ann, 'lead 5').read()).toBeUndefined()
  expect(inputStoredFor(ann, 'invoice').read()).toBeUndefined()
  expect(recentRecordsFor(ann).read()).toBeUndefined()
  expect(deviceStorage.text('stanchion-dialling').read()).toBe('sip')
})

test("if a browser can't store values, reading returns the same as if nothing had been stored", () => {
  vi.stubGlobal('sessionStorage', undefined)
  const value = tabStorage.json<number>('any')
  value.write(1)
  expect(value.read()).toBeUndefined()
})

test('a stored value that is not JSON is read as undefined', () => {
  tabStorage.text('any').write('{')
  expect(tabStorage.json('any').read()).toBeUndefined()
})
