import { expect, test, vi } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

test('if no mail server is configured, e-mails with a secret link are printed to the terminal, except those to example addresses of the demo data', async () => {
  const portal = await (await testPortal()).with({ PUBLIC_URL: 'https://portal.example', DATABASE_URL: '' })
  const client = await portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const invite = async (email: string) => {
    const person = await client.user({ roles: ['ROLE_EMPLOYEE'], email })
    expect((await client.as(admin).post(`${person.iri}/invite`)).status).toBe(204)
  }
  await invite(`demo.${client.id}@post.example`)
  await invite(`real.${client.id}@post.example.com`)
  let printed = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  await portal.drain().finally(() => write.mockRestore())
  expect(printed).toContain(`To real.${client.id}@post.example.com`)
  expect(printed).not.toContain(`demo.${client.id}`)
})
