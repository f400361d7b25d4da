import { expect, test } from 'vitest'
import { fillPathParams, isLocalPath, pathAfterSignIn, signInPath } from './redirects.ts'

test.each(['/', '/dashboard', '/crm/contact/list?page=2#top', '/x?next=//y'])(
  'the redirect target %j is accepted as a path of this portal',
  (good) => {
    expect(isLocalPath(good)).toBe(true)
  },
)

const BAD = [
  null,
  undefined,
  '',
  'dashboard',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '\\/evil.example',
  '/x\\y',
]
test.each(BAD)('the redirect target %j is rejected, as it is not a path of this portal', (bad) => {
  expect(isLocalPath(bad)).toBe(false)
})

test('sign-in returns to the requested page, never to the sign-in page', () => {
  const author = { roles: ['ROLE_EMPLOYEE', 'ROLE_SAFETY_AUTHOR'] }
  expect(pathAfterSignIn('/profile', author)).toBe('/profile')
  for (const other of [null, '//evil.example', '/', '/login', '/?error=x', '/login?next=/'])
    expect(pathAfterSignIn(other, author)).toBe('/dashboard')
})

test('employees without another role start in My-Task, unless they asked for another page', () => {
  const worker = { roles: ['ROLE_EMPLOYEE'] }
  expect(pathAfterSignIn(null, worker)).toBe('/my-task')
  expect(pathAfterSignIn('/profile', worker)).toBe('/profile')
  expect(pathAfterSignIn(null, { roles: [] })).toBe('/dashboard')
})

test('the URL of the sign-in page contains the return URL and the reason', () => {
  expect(signInPath('/')).toBe('/')
  expect(signInPath('/a b')).toBe('/?next=%2Fa%20b')
  expect(signInPath('/a', true)).toBe('/?error=Expired%20Session&next=%2Fa')
})

test('a redirect inserts the parameters from the old URL into the new URL', () => {
  expect(fillPathParams('/sfp/update/:slug', { slug: 'a/b' })).toBe('/sfp/update/a%2Fb')
  expect(fillPathParams('/staff/:username?', {})).toBe('/staff')
})
