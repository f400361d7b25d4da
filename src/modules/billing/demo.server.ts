import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { appStatus, packProduct } from '#modules/portal/packs/app-status.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { importBankStatement } from './bank/import.server.ts'
import { sku } from './catalogue/plan.ts'
import { invoiceSettings } from './client-invoicing/invoice-settings.ts'
import { customer } from './customers/customer.ts'
import { invoice } from './invoices/invoice.ts'
import { issueInvoice } from './invoices/issue.server.ts'
import { recordReceivedPayment } from './payments/take-payment.server.ts'
import { quote } from './quotes/quote.ts'
import { stockMovement } from './stock/stock-movement.ts'
import { vatReturn } from './vat/vat-return.ts'

/** ID of the demo client in the construction industry, which sells stock and services. */
const BUILDER = 1
const BOOKKEEPER = { clientId: BUILDER, username: 'office.brick' }

const ITEMS = [
  { name: 'Facing brick, pallet of 500', code: 'FB500', unit: 'pallet', amount: 32_500, cost: 24_000, onHand: 14 },
  { name: 'Lintel, 1.5 m', code: 'L15', unit: 'piece', amount: 4250, cost: 2900, onHand: 6 },
  { name: 'Mortar, 25 kg', code: 'M25', unit: 'bag', amount: 895, cost: 540, onHand: 3 },
]
const BUYERS = [
  ['Ridgeway Lettings', 'Marta Lowe', '7 Spring Row', 'Sheffield', 'S1 2AB'],
  ['Ann and Piers Doyle', 'Ann Doyle', '22 Cliffe Lane', 'Rotherham', 'S60 1AA'],
] as const

/** A client with its own books: stock, customers, and a document in each status. */
const clientInvoicingPart: DemoDataPart = {
  name: 'own books',
  needs: ['bank'],
  tell: async (engine) => {
    await seedAsUser(engine, { clientId: BUILDER }, givePack)
    await seedAsUser(engine, BOOKKEEPER, settle)
    const items = await seedAsUser(engine, BOOKKEEPER, stockUp)
    const [lettings, doyles] = await seedAsUser(engine, BOOKKEEPER, meet)
    await sell(engine, { customer: lettings, sku: items[0], quantity: 3, daysAgo: 24, isPaid: true })
    await sell(engine, { customer: doyles, sku: items[1], quantity: 2, daysAgo: 20, isPaid: false })
    await seedAsUser(engine, BOOKKEEPER, (c) =>
      c.create(quote, {
        customer: lettings as number,
        sendEmail: false,
        skus: [{ sku: items[1] as number, quantity: 4 }],
        additionalItems: [{ description: 'Openings cut and lintels set', quantity: 1, unitAmount: 64_000 }],
      }),
    )
  },
}

async function givePack(c: Context): Promise<void> {
  const right = c.withoutPermissionCheck('grant a client access to what it has bought')
  await right.change(client, BUILDER, {
    address1: '5 Furnace Hill',
    postcode: 'S3 7AF',
    regcompno: '00000001',
    vatNumber: 'GB 000 0001 95',
  })
  for (const { id } of await c.find(packProduct, { code: 'invoicing' })) await right.create(appStatus, { product: id })
}

async function settle(c: Context): Promise<void> {
  await c.create(invoiceSettings, {
    prefix: 'BB-',
    firstNumber: 412,
    paymentDays: 30,
    accountName: 'Brick & Beam Construction Ltd',
    bankName: 'Bank of Examples',
    sortCode: '00-00-00',
    accountNumber: '00000001',
  })
}

async function stockUp(c: Context): Promise<number[]> {
  const ids: number[] = []
  for (const { onHand, ...item } of ITEMS) {
    const { id } = await (await c.create(sku, { ...item, stocked: true })).saved()
    await c.create(stockMovement, { sku: id, quantity: onHand, kind: 'received', reason: 'Opening stock' })
    ids.push(id)
  }
  return ids
}

async function meet(c: Context): Promise<number[]> {
  const ids: number[] = []
  for (const [i, [company, person, address1, city, postcode]] of BUYERS.entries()) {
    const made = await c.create(customer, {
      email: `buyer.${i + 1}@customers.example`,
      metadata: { company_name: company, contact_name: person, telephone: `01632 96045${i}` },
      address1,
      city,
      postcode,
      consumer: company === BUYERS[1][0],
    })
    ids.push((await made.saved()).id)
  }
  return ids
}

interface Sold {
  readonly customer: number | undefined
  readonly sku: number | undefined
  readonly quantity: number
  readonly daysAgo: number
  readonly isPaid: boolean
}

async function sell(engine: Engine, { customer: who, sku: item, quantity, daysAgo, isPaid }: Sold): Promise<void> {
  const at = engine.clock.now().subtract({ hours: 24 * daysAgo })
  const id = await seedAsUser(engine, { ...BOOKKEEPER, at }, async (c) => {
    const made = await c.create(invoice, { customer: who as number, lines: [{ sku: item as number, quantity }] })
    const draft = await c.lock(invoice, (await made.saved()).id)
    return (await issueInvoice(c, draft, { day: londonDate(at).toString(), letter: false })).id
  })
  if (isPaid)
    await seedAsUser(engine, { ...BOOKKEEPER, at: at.add({ hours: 24 * 9 }) }, async (c) => {
      const { customer: payer, amountDue, number } = await c.lock(invoice, id)
      await recordReceivedPayment(c, {
        customer: payer,
        invoice: id,
        card: null,
        method: 'bank',
        amount: amountDue,
        amountDue: null,
        currency: null,
        reference: number,
        receivedAt: c.now.toString(),
        notes: '',
        keepBoth: false,
      })
    })
}

/** The provider's draft VAT return for the last complete quarter, which is due to be filed. */
const vatReturnPart: DemoDataPart = {
  name: 'a VAT return',
  needs: ['bank', 'subscriptions'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now())
    const quarter = today.with({ day: 1 }).subtract({ months: (today.month - 1) % 3 })
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, (c) =>
      c.create(vatReturn, {
        from: quarter.subtract({ months: 3 }).toString(),
        to: quarter.subtract({ days: 1 }).toString(),
        purchaseVat: 9_420,
        purchases: 47_100,
      }),
    )
  },
}

/** This morning's bank lines: one quotes an invoice number, one has an unknown payer and one is a payment out. */
const bankPart: DemoDataPart = {
  name: 'bank',
  needs: ['invoices'],
  tell: async (engine) => {
    const day = londonDate(engine.clock.now()).toString()
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, async (c) => {
      const [owed] = await c.find(invoice, { state: 'open', currency: 'GBP' })
      const lines = [
        ...(owed
          ? [{ day, amount: owed.amountDue, reference: `${owed.number} WITH THANKS`, payer: owed.company }]
          : []),
        { day, amount: 4250, reference: 'SAFETY FOLDERS', payer: 'J HARGREAVES' },
        { day, amount: -96_000, reference: 'RENT', payer: 'WHARF ESTATES' },
      ]
      await importBankStatement(c, 'Statement.csv', 'GBP', { lines, problems: [] })
    })
  },
}

export const seeds = [bankPart, clientInvoicingPart, vatReturnPart]
