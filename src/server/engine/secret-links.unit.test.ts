import { expect, test } from 'vitest'
import { createSecretLink } from './secret-links.ts'

test('the secret of a link has letters and digits only, so that a printed link can be copied whole', () => {
  const links = Array.from({ length: 200 }, () =>
    createSecretLink({ publicUrl: undefined, host: 'localhost', port: 3000 }),
  )
  expect(links.filter(({ secret }) => !/^[A-Za-z0-9]{32}$/.test(secret))).toEqual([])
  expect(new Set(links.map(({ secret }) => secret)).size).toBe(200)
})
