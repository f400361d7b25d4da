import { expect, test, vi } from 'vitest'
import { markEndOfDemoEvents } from '#server/seed/demo-events.ts'
import { testPortal } from '#test/support/portal.ts'

test('if no mail server is configured, e-mails with a secret link are printed to the terminal, except those of the demo data', async () => {
  const portal = await (await testPortal()).with({ PUBLIC_URL: 'https://portal.example', DATABASE_URL: '' })
  const client = await portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const invite = async (name: string) => {
    const person = await client.user({ roles: ['ROLE_EMPLOYEE'], email: `${name}.${client.id}@post.example` })
    expect((await client.as(admin).post(`${person.iri}/invite`)).status).toBe(204)
  }
  await invite('of-the-demo')
  await markEndOfDemoEvents(portal.db)
  await invite('of-today')
  let printed = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  await portal.drain().finally(() => write.mockRestore())
  expect(printed).toContain(`To of-today.${client.id}@post.example`)
  expect(printed).not.toContain('of-the-demo')
})
