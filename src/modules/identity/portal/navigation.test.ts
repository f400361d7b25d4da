import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const LIST = '/api/portal/navigations'
type NavigationItem = { path: string; area: string; order: number; title: string; isAdvert: boolean }

const screensOf = async (packs: string[], roles: string[]): Promise<NavigationItem[]> => {
  const client = await portal.client({ packs })
  const { status, body } = await client.as(await client.user({ roles })).get(LIST)
  expect(status).toBe(200)
  return body['hydra:member']
}

test('the navigation lists the screens a user may open, with their ancestors', async () => {
  const mine = await screensOf(['safety'], ['ROLE_EMPLOYEE'])
  expect(mine.map((s) => `${s.area}: ${s.title}`)).toEqual([
    'Home: Dashboard',
    'Home: My profile',
    'Home: My-Task',
    'Home: Sign-in and security',
    'Home: Help',
    'Home: Notifications',
    'Home: Background jobs',
    'Home: About',
    'Documents: Risk assessments',
    'Documents: Method statements',
    'Documents: COSHH assessments',
    'Documents: Substances',
    'Documents: RAMS packs',
    'Documents: Policies',
    'Documents: Toolbox talks',
    'Documents: Talk schedule',
    'Documents: Presented talks',
    'Documents: Custom forms',
    'Documents: Corrective actions',
    'Documents: Equipment',
    'Incidents: Accident book',
    'People: Training',
    'People: Training plan',
    'Files: File manager',
    'Files: Downloads',
  ])
  expect(mine[0]).toEqual({
    '@id': `${LIST}/1`,
    '@type': 'Navigation',
    id: 1,
    path: '/dashboard',
    title: 'Dashboard',
    area: 'Home',
    icon: 'home',
    order: 1,
    isAdvert: false,
  })
})

test('the navigation omits screens of packs that the client does not have', async () => {
  const paths = (await screensOf([], ['ROLE_CLIENT_ADMIN'])).map((s) => s.path)
  expect(paths).not.toContain('/safety/risk-assessment')
  expect(paths).toContain('/staff')
})

test('the navigation marks the description of a product that the client does not have', async () => {
  const advert = (screens: Awaited<ReturnType<typeof screensOf>>) =>
    screens.filter((s) => s.isAdvert).map((s) => s.path)
  expect(advert(await screensOf(['safety'], ['ROLE_CLIENT_ADMIN']))).toEqual(
    expect.arrayContaining(['/ffe/advert', '/ffh/advert']),
  )
  expect(advert(await screensOf(['employees'], ['ROLE_CLIENT_ADMIN']))).not.toContain('/ffe/advert')
})
