import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { signIn, test } from '../support/journey.ts'
import { openPortal } from '../support/portal.ts'
import { tamperWithDatabase } from '../support/tampering.ts'

const RENAMED = `UPDATE signature SET name = 'Somebody Else' WHERE client_id = 1 AND name = 'Tomasz Nowak'
  AND document_id = (SELECT id FROM document WHERE client_id = 1 AND number = 'RA-0001' AND current)`

test("the nightly check detects a signatory's name changed in the database and notifies the administrator", async ({
  elsewhere,
}) => {
  test.slow()
  const portal = await openPortal({ embedded: (folder) => tamperWithDatabase(folder, RENAMED) })
  const browser = () => elsewhere({ baseURL: portal.origin })
  try {
    const manager = await browser()
    const night = { data: { days: 1 }, ...(await signInToApi(manager, 'manager')) }
    expect((await manager.request.post('/api/portal/clock', night)).status()).toBe(200)
    // The e-mails are selected by subject, because other e-mails of the same night also mention the document.
    const told = () => portal.letters.filter(({ text }) => text.includes('Subject: Sealed records have been changed'))
    // Other nightly jobs run first, which takes time on a busy machine.
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
