import type { TestApi, TestPortal, TestUser } from './portal.ts'

/** Impersonates a user as new provider staff, with permission for changes. Returns the API as that user. */
export async function impersonate(portal: TestPortal, { username, clientId }: TestUser): Promise<TestApi> {
  const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
  const from = { address: '127.0.0.1', agent: 'test', browser: false }
  const own = await portal.sessions.open({ clientId: staff.clientId, userId: staff.id }, from)
  const { token } = await portal.sessions.visit(own.token, { username, clientId }, 'They asked')
  const allowed = await portal.bearing(token).post('/api/security/user/write', { reason: 'To mend it' })
  return portal.bearing(allowed.body.token)
}
