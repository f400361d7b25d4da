import { type TestApi, testPortal } from '#test/support/portal.ts'

/**
 * Starts a portal that listens on a port, with a new client that has a member of staff and forty leads. The returned
 * headers contain a token for clients that send their own HTTP requests.
 */
export async function startClientWorld(): Promise<{
  origin: string
  headers: Record<string, string>
  api: TestApi
  contacts: string[]
}> {
  const portal = await testPortal()
  const origin = await portal.listen()
  const client = await portal.client()
  const staff = await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN', 'ROLE_CLIENT_ADMIN'] })
  const api = client.as(staff)
  const contacts: string[] = []
  for (let i = 1; i <= 40; i++)
    contacts.push(
      (await api.post('/api/crm/contacts', { companyName: `Company ${String(i).padStart(2, '0')}` })).body['@id'],
    )
  const { token } = await portal.sessions.open(
    { clientId: client.id, userId: staff.id },
    { address: '127.0.0.1', agent: 'test', browser: false },
  )
  return { origin, headers: { Authorization: `Bearer ${token}` }, api, contacts }
}
