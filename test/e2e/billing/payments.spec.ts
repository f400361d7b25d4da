import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'

/** Takes a £100 card payment at the test gateway, without an invoice. Returns the payment's ID. */
async function takePayment(page: Page): Promise<number> {
  const send = await createApiSender(page, 'manager')
  const post = (path: string, data: object) => send('post', path, data)
  const customer = await post('/api/financial/customers', {
    email: `refunds.${Date.now()}@journey.example`,
    metadata: { company_name: 'Journey Roofing Ltd' },
  })
  const { url } = await post('/api/financial/cards/setup', { customer: customer['@id'] })
  const entered = await page.request.post(url, {
    multipart: { number: '4242424242424242', expiry: '12/49', cvc: '123' },
    headers: { accept: 'text/html' },
  })
  const token = /card:"(pm_test_[0-9a-f]{32})"/.exec(await entered.text())?.[1]
  const card = await post('/api/financial/cards', { customer: customer['@id'], card: token })
  const charge = await post('/api/financial/charges', {
    customer: customer['@id'],
    card: card['@id'],
    amount: 10_000,
  })
  expect(charge.state).toBe('succeeded')
  return charge.id
}

async function beginRefund(page: Page, amount: string, reason: string) {
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill(amount)
  await dialog.getByLabel('Reason').fill(reason)
  return dialog
}

/** Issues two invoices of £120.00 to a new customer. Returns their numbers and the customer's company name. */
async function issueInvoices(page: Page) {
  const send = await createApiSender(page, 'manager')
  const post = (path: string, data: object) => send('post', `/api/financial/${path}`, data)
  const company = `Journey Haulage ${Date.now()} Ltd`
  const customer = await post('customers', {
    email: `lines.${Date.now()}@journey.example`,
    billingName: company,
    metadata: { company_name: company },
    address1: '3 Dock Road',
    city: 'Hull',
    postcode: 'HU1 1AA',
  })
  const lines = [{ description: 'Site visit', quantity: 1, unitAmount: 10_000 }]
  const issue = async (): Promise<string> => {
    const draft = await post('invoices', { customer: customer['@id'], lines })
    return (await post(`invoices/${draft.id}/issue`, {})).number
  }
  return { company, numbers: [await issue(), await issue()] as const }
}

/** Statements with one payment by this payer each, in the formats that need no column mapping. */
function buildStatements(payer: string, day: string) {
  const compact = day.replaceAll('-', '')
  const [year = '', month = '', date = ''] = day.split('-')
  return {
    'lines.ofx': `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>GBP<BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${compact}<TRNAMT>1.01<FITID>${payer}<NAME>${payer} OFX</STMTTRN></BANKTRANLIST></STMTRS></OFX>`,
    'lines.qif': `!Type:Bank\nD${date}/${month}/${year}\nT1.02\nP${payer} QIF\n^\n`,
    'lines.xml': `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>GB1</IBAN></Id><Ccy>GBP</Ccy></Acct><Ntry><Amt Ccy="GBP">1.03</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${payer}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Nm>${payer} CAMT</Nm></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
    'lines.sta': `:20:X\r\n:25:1\r\n:28C:1/1\r\n:60F:C${compact.slice(2)}GBP0,00\r\n:61:${compact.slice(2)}C1,04NTRFX//${payer}\r\n:86:${payer} MT940\r\n:62F:C${compact.slice(2)}GBP1,04\r\n-}`,
  }
}

/** Imports statements by keyboard, confirms two matches with two presses, undoes one and splits its line on a phone. */
async function correctBankLines(page: Page, phone: Page) {
  const { company, numbers } = await issueInvoices(page)
  const today = new Date().toISOString().slice(0, 10)
  const mark = `stranger ${Date.now()}`
  const text = [
    'Date,Name,Reference,Amount',
    ...numbers.map((number) => `${today},${company},${number} thanks,120.00`),
    `${today},J Nobody,${mark},4.20`,
  ].join('\n')
  await page.goto('/crm/bank')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import statement' }).press('Enter')
  await (await chooser).setFiles({ name: 'lines.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page
    .getByRole('dialog', { name: 'Columns of lines.csv' })
    .getByRole('button', { name: 'Import' })
    .press('Enter')
  await expect(page.getByRole('status').getByText('3 lines are new.')).toBeVisible()

  const stranger = `ODD ${Date.now()}`
  for (const [name, content] of Object.entries(buildStatements(stranger, today))) {
    const picked = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import statement' }).press('Enter')
    await (await picked).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
    await expect(page.getByRole('status').getByText('1 line is new.').last()).toBeVisible()
  }
  for (const format of ['OFX', 'QIF', 'CAMT', 'MT940'])
    await expect(page.getByRole('row').filter({ hasText: `${stranger} ${format}` })).toContainText('Unmatched')

  const rowOf = (words: string) => page.getByRole('row').filter({ hasText: words })
  const dialog = page.getByRole('dialog')
  const matches = dialog.getByRole('list', { name: 'Matches' })
  await test.step('confirming a selection confirms only the selected matches', async () => {
    for (const words of [`${numbers[0]} thanks`, mark]) await rowOf(words).getByRole('checkbox').press('Space')
    await page
      .getByRole('region', { name: 'Selected rows' })
      .getByRole('button', { name: 'Confirm matches' })
      .press('Enter')
    await expect(matches.getByRole('listitem')).toHaveCount(1)
    await expect(dialog.getByText('1 selected line has no match to confirm and will not change.')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('button', { name: 'Clear the selection' }).press('Enter')
  })
  await test.step('all matches are confirmed with two key presses', async () => {
    await page
      .locator('#main')
      .getByRole('button', { name: /^Confirm \d+ matches$/ })
      .press('Enter')
    for (const number of numbers) await expect(matches).toContainText(number)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: /^Confirm \d+ matches$/ }).press('Enter')
  })
  await expect(rowOf(numbers[0])).toContainText('Recorded')

  const line = `${numbers[0]} thanks`
  await page.getByRole('button', { name: line }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('list', { name: 'Payments of this line' })).toContainText(numbers[0])
  await dialog.getByRole('button', { name: 'Undo match' }).press('Enter')
  await page.keyboard.type('Paid for two invoices')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(rowOf(line)).toContainText('Unmatched')

  await signIn(phone, 'manager', '/crm/bank')
  await phone.getByRole('button', { name: line }).press('Enter')
  const sheet = phone.getByRole('dialog')
  await expect(sheet.getByText('Match undone: Paid for two invoices.')).toBeVisible()
  await sheet.getByRole('radio', { name: 'Split' }).press('Space')
  await sheet.getByLabel('Customer').fill(company)
  await expect(phone.getByRole('option', { name: company })).toBeVisible()
  await phone.keyboard.press('ArrowDown')
  await phone.keyboard.press('Enter')
  await sheet.getByLabel(`${numbers[0]}, £120.00 due`).fill('100')
  await expect(sheet.getByRole('status').getByText('Remainder: £20.00 of £120.00')).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Record payments £120.00' })).toBeDisabled()
  await sheet.getByLabel('Add the remainder to the customer’s credit').press('Space')
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(phone)
  await sheet.getByRole('button', { name: 'Record payments £120.00' }).press('Enter')
  await expect(sheet).toHaveCount(0)
  await phone.getByRole('button', { name: line }).press('Enter')
  await expect(sheet.getByRole('list', { name: 'Payments of this line' }).getByRole('listitem')).toHaveCount(3)
  await sheet.getByRole('link', { name: numbers[0] }).last().press('Enter')
  await expect(phone.getByText('This payment was recorded in error and has been reversed')).toBeVisible()
  await expectAccessible(phone)
}

test('two refunds succeed but a third shows an error in the form, and bank lines are matched, undone and split', async ({
  page,
  elsewhere,
}) => {
  const id = await takePayment(page)
  const at = `/crm/charge/${id}`
  await signIn(page, 'manager', at)
  await expect(page.getByText('Refundable: nothing refunded yet')).toBeVisible()
  await expectAccessible(page)

  // A colleague has also opened the refund form and does not know of the other refunds.
  const other = await elsewhere({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
  await signIn(other, 'manager', at)
  const third = await beginRefund(other, '30', 'They moved away')
  await expect(third.getByText('£30.00 will be refunded; £70.00 will remain refundable.')).toBeVisible()
  await expectAccessible(other)

  const first = await beginRefund(page, '60', 'Two months too many')
  await expectAccessible(page)
  await first.getByRole('button', { name: 'Refund £60.00' }).click()
  await expect(first).toHaveCount(0)
  await expect(page.getByText('Refundable: £60.00 refunded')).toBeVisible()

  const tooMuch = await beginRefund(page, '40.01', 'The rest')
  await expect(tooMuch.getByText('You can refund at most £40.00')).toBeVisible()
  await expect(tooMuch.getByRole('button', { name: 'Refund', exact: true })).toBeDisabled()
  await tooMuch.getByLabel('Amount').fill('40')
  await tooMuch.getByRole('button', { name: 'Refund £40.00' }).click()
  await expect(tooMuch).toHaveCount(0)
  await expect(page.getByText('Refundable: £100.00 refunded')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Refunds of this payment' }).getByRole('listitem')).toHaveCount(2)

  await test.step('the form shows why the third refund is refused and retains the input', async () => {
    await third.getByRole('button', { name: 'Refund £30.00' }).click()
    const why = third.getByRole('alert')
    await expect(why).toContainText('£100.00 of this payment has been refunded')
    await expect(why).toBeInViewport()
    await expect(third.getByLabel('Amount')).toHaveValue('30')
    await expect(third.getByLabel('Reason')).toHaveValue('They moved away')
    expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await expectAccessible(other)
  })

  await test.step('the list of refunds shows the customer for each refund', async () => {
    await page.goto('/crm/refunds')
    await waitUntilSettled(page)
    const row = page.getByRole('row').filter({ hasText: 'Journey Roofing Ltd' }).first()
    await expect(row).toContainText('Refunded')
    await expect(row).not.toContainText('Test payment service')
    await expectAccessible(page)
  })
  await test.step('bank lines are confirmed together, undone and split', () => correctBankLines(page, other))
})
