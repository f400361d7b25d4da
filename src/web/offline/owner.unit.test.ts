import { expect, test } from 'vitest'
import type { Me } from '../api/session.ts'
import { isOwnedBy, ownerOf, typedKey } from './owner.ts'

const person = (id: number, client: number, original: Me['original'] = null): Me => ({
  '@id': `/api/portal/users/${id}`,
  id,
  username: '',
  name: '',
  email: '',
  client: { '@id': '', id: client, company: '' },
  brand: 'Portal',
  roles: [],
  scopes: [],
  team: [],
  packs: {},
  choices: [],
  isImpersonating: original !== null,
  original,
  impersonation: null,
  fileLimit: 25 * 1024 * 1024,
  sessionHours: 12,
})
const ann = person(7, 1)
const visiting = person(3, 2, { id: 7, clientId: 1, username: '', name: '' })

test('what somebody types is kept by person: by who they are, and as whom they work', () => {
  expect(typedKey(ann, 'lead 5')).not.toBe(typedKey(person(8, 1), 'lead 5'))
  expect(ownerOf(ann)).not.toBe(ownerOf(visiting))
})

test('whoever signs out takes along their own drafts, and those of their visits, and leaves everybody else’s', () => {
  const keys = [ann, visiting, person(8, 1), person(7, 4), person(3, 2)].map((me) => `${ownerOf(me)}/risk/1`)
  for (const me of [ann, visiting])
    expect(keys.map((key) => isOwnedBy(me, key))).toEqual([true, true, false, false, false])
})
