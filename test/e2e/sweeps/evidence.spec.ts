import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { apiOf } from '../support/api.ts'
import { signIn, test } from '../support/journey.ts'
import { openPortal } from '../support/portal.ts'
import { tamper } from '../support/tampering.ts'

const RENAMED = `UPDATE signature SET name = 'Somebody Else' WHERE client_id = 1 AND name = 'Tomasz Nowak'
  AND document_id = (SELECT id FROM document WHERE client_id = 1 AND number = 'RA-0001' AND current)`

test('a signature that was renamed in the database is found at night, and the administrator is told', async ({
  elsewhere,
}) => {
  test.slow()
  const portal = await openPortal({ embedded: (folder) => tamper(folder, RENAMED) })
  const browser = () => elsewhere({ baseURL: portal.origin })
  try {
    const manager = await browser()
    const night = { data: { days: 1 }, ...(await apiOf(manager, 'manager')) }
    expect((await manager.request.post('/api/portal/clock', night)).status()).toBe(200)
    // By its subject: other letters of the same night name the paper too.
    const told = () => portal.letters.filter(({ text }) => text.includes('Subject: Sealed records have been changed'))
    // All that a night does comes before it on a busy machine.
    await expect
      .poll(
        () =>
          told()
            .map(({ to }) => to)
            .toSorted(),
        { timeout: 90_000 },
      )
      .toEqual(['admin.brick@portal.example', 'approver.brick@portal.example'])
    for (const { text } of told()) expect(text).toContain('RA-0001 revision 2: the signature of "Tomasz Nowak"')

    const admin = await browser()
    await signIn(admin, 'admin.brick', '/dashboard')
    const alert = admin.getByRole('alert').filter({ hasText: 'Sealed records have been changed' })
    await expect(alert).toContainText('RA-0001')
    await expectAccessible(admin)

    const worker = await browser()
    await signIn(worker, 'worker.brick', '/dashboard')
    await expect(worker.getByRole('heading', { name: /^To sign/ })).toBeVisible()
    await expect(worker.getByRole('alert')).toHaveCount(0)
  } finally {
    await portal.close()
  }
})
