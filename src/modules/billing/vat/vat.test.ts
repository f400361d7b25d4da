import { beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
import type { TestApi } from '#test/support/portal.ts'
import { Random } from '#test/support/random.ts'

const RETURNS = '/api/financial/vat_returns'
const today = Temporal.Now.plainDateISO('Europe/London')
const thisMonth = today.with({ day: 1 })
/** Returns the first and last day of a month; 0 is this month. */
const month = (n: number) => {
  const from = thisMonth.add({ months: n })
  return { from: from.toString(), to: from.add({ months: 1 }).subtract({ days: 1 }).toString() }
}

interface Books extends InvoiceWorld {
  readonly buyer: string
}

async function books(): Promise<Books> {
  const w = await makeInvoiceWorld()
  return { ...w, buyer: await w.newCustomer({ vatNumber: 'GB 434 0314 94' }) }
}

async function post(api: TestApi, path: string, body: Record<string, unknown> = {}) {
  const answer = await api.post(path, body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** A month that ended more than 14 days ago, so an invoice issued now leaves a supply's tax point in it. */
const INVOICED_LATE = month(-2)

const line = (unitAmount: number, taxCode = 'standard') => ({ description: 'Report', quantity: 1, unitAmount, taxCode })

/** Issues an invoice with a tax point. */
async function issueOn(w: Books, taxPoint: string, lines: readonly object[], more: Record<string, unknown> = {}) {
  const draft = await w.invoice({ customer: w.buyer, lines, ...more })
  return post(w.finance, `${draft['@id']}/issue`, { taxPoint })
}

const pay = (w: Books, invoice: { '@id': string; customer: unknown }, amount: number, day: string) =>
  post(w.finance, '/api/financial/charges', {
    customer: w.buyer,
    invoice: invoice['@id'],
    method: 'bank',
    card: null,
    amount,
    receivedAt: `${day}T00:00:30Z`,
  })

const makeReturn = (w: Books, period: { from: string; to: string }, more: Record<string, unknown> = {}) =>
  post(w.finance, RETURNS, { ...period, ...more })

async function boxes(w: Books, iri: string): Promise<number[]> {
  const { body } = await w.finance.get(`${iri}/figures`)
  return body.boxes.map((b: { amount: number }) => b.amount)
}

const rows = async (w: Books, iri: string, box: number): Promise<[string, number][]> =>
  (await w.finance.get(`${iri}/rows?box=${box}`)).body['hydra:member'].map(
    (r: { description: string; amount: number }) => [r.description, r.amount],
  )

const said = ({ body }: { body: { 'hydra:description'?: string } }) => body['hydra:description'] ?? ''

describe('a VAT return by invoice date', () => {
  let w: Books
  beforeAll(async () => {
    w = await books()
  })

  test('the boxes add up documents in sterling, entered purchases and adjustments, and each box lists its rows', async () => {
    const { from, to } = INVOICED_LATE
    await issueOn(w, from, [
      line(10_005),
      line(1000, 'reduced'),
      line(500, 'zero'),
      line(200, 'exempt'),
      line(9999, 'outside'),
    ])
    await issueOn(w, to, [line(40_099, 'reverse')])
    const euros = await w.newCustomer({ currency: 'EUR' })
    await issueOn(w, from, [line(11_600)], { customer: euros, currency: 'EUR', exchangeRate: 1.16 })
    const made = await makeReturn(w, { from, to }, { purchaseVat: 1234, purchases: 56_789, acquisitions: 199 })
    await post(w.finance, '/api/financial/vat_adjustments', {
      vatReturn: made['@id'],
      box: 1,
      amount: -101,
      reason: 'Error in March',
    })
    // £20.01 + £0.50 + €23.20 at 1.16 − £1.01.
    const due = 2001 + 50 + 2000 - 101
    // £100.05 + £10.00 + £5.00 + £2.00 + £400.99 + €116.00 at 1.16, without pence.
    expect(await boxes(w, made['@id'])).toEqual([due, 0, due, 1234, due - 1234, 61_800, 56_700, 0, 100])
    expect(await rows(w, made['@id'], 4)).toEqual([['VAT on purchases, typed by hand', 1234]])
    const sales = await rows(w, made['@id'], 1)
    expect(sales).toHaveLength(3)
    expect(sales.reduce((all, [, amount]) => all + amount, 0)).toBe(due)
    const { body } = await w.finance.get(`${made['@id']}/figures`)
    expect(body.warnings).toEqual([expect.stringMatching(/^£99[.]99 outside the scope of VAT is not in box 6/)])
    expect((await w.finance.get(`${made['@id']}/rows?box=12`)).status).toBe(400)
    const refused = await w.finance.post('/api/financial/vat_adjustments', {
      vatReturn: made['@id'],
      box: 3,
      amount: 1,
      reason: 'x',
    })
    expect([refused.status, said(refused)]).toEqual([422, expect.stringContaining('Box 3 is calculated')])
  })

  test('filing fixes the figures and rows and closes the period, so later documents belong to the next return', async () => {
    const { from, to } = INVOICED_LATE
    const { body: list } = await w.finance.get(`${RETURNS}?state=draft`)
    const [made] = list['hydra:member']
    const before = await boxes(w, made['@id'])
    const file = (more: object = {}) =>
      w.finance.post(`${made['@id']}/file`, { filedOn: today.toString(), netVatDue: before[4], ...more })
    const draft = await w.invoice({ customer: w.buyer, lines: [line(100)] })
    await w.sql('UPDATE invoice SET tax_point = $3 WHERE client_id = $1 AND id = $2', [w.sellers.id, draft.id, to])
    expect((await w.finance.get(`${made['@id']}/figures`)).body.warnings[0]).toContain('has its tax point on')
    expect(said(await file({ netVatDue: 1 }))).toContain('Nothing was filed')
    expect((await file({ filedOn: to })).status).toBe(422)
    expect((await w.api.post(`${made['@id']}/file`, { filedOn: today.toString(), netVatDue: before[4] })).status).toBe(
      403,
    )
    const filed = await file()
    expect([filed.status, filed.body.state, filed.body.filedOn]).toEqual([200, 'filed', today.toString()])
    expect((await file()).status).toBe(409)

    const late = await w.finance.post(`${draft['@id']}/issue`, { taxPoint: to })
    expect([late.status, said(late)]).toEqual([409, expect.stringContaining('The books are closed')])
    const [{ invoice: first }] = (await w.finance.get(`${made['@id']}/rows?box=1`)).body['hydra:member'].filter(
      (r: { invoice: number | null }) => r.invoice !== null,
    )
    await post(w.finance, '/api/financial/credit_notes', {
      invoice: `/api/financial/invoices/${first}`,
      reason: 'Wrong',
    })
    expect(await boxes(w, made['@id'])).toEqual(before)
    expect((await rows(w, made['@id'], 3)).reduce((all, [, amount]) => all + amount, 0)).toBe(before[2])
    const next = await makeReturn(w, { from: month(-1).from, to: month(0).to })
    expect((await boxes(w, next['@id']))[0]).toBeLessThan(0)
    for (const change of [w.finance.put(made['@id'], { purchaseVat: 1 }), w.finance.delete(made['@id'])])
      expect((await change).status).toBe(409)
    const adjusted = await w.finance.post('/api/financial/vat_adjustments', {
      vatReturn: made['@id'],
      box: 1,
      amount: 1,
      reason: 'x',
    })
    expect(adjusted.status).toBe(409)
    await expect(w.sql("UPDATE vat_return SET filed_by = 'x' WHERE id = $1", [made.id])).rejects.toThrow(/is filed/)
    expect(from < to).toBe(true)
  })

  test("returns follow one another without gaps or overlaps, and a period can't be filed before it ends", async () => {
    const of = await books()
    const running = await makeReturn(of, month(0))
    const early = await of.finance.post(`${running['@id']}/file`, { filedOn: today.toString(), netVatDue: 0 })
    expect([early.status, said(early)]).toEqual([409, expect.stringContaining('File the return after that day')])
    for (const period of [month(0), month(2), { from: month(0).from, to: month(1).to }, month(-2)])
      expect([period, (await of.finance.post(RETURNS, period)).status]).toEqual([period, 422])
    expect((await of.finance.post(RETURNS, { from: month(1).to, to: month(1).from })).status).toBe(422)
    await makeReturn(of, month(-1))
    const out = await of.outsider.get(running['@id'])
    expect(out.status).toBeGreaterThanOrEqual(403)
    expect((await of.otherStaff.get(`${running['@id']}/figures`)).status).toBeGreaterThanOrEqual(403)
    expect((await of.finance.delete(running['@id'])).status).toBe(204)
  })
})

test('VAT on a written-off invoice is claimed after six months, and repaid in part as the customer pays', async () => {
  const w = await books()
  const owed = await issueOn(w, today.toString(), [line(10_000)])
  await pay(w, owed, 3000, today.toString())
  const monthly = (n: number) => month(n)
  let finance = w.finance
  const at = async (days: number) => {
    await moveClock(w.portal.engine, days)
    finance = w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  }
  try {
    const whole = { from: month(0).from, to: month(8).to }
    await at(thisMonth.add({ months: 9 }).since(today, { largestUnit: 'days' }).days + 2)
    const claimed = await post(finance, RETURNS, whole)
    const listed = async () => (await finance.get(`${claimed['@id']}/figures`)).body
    // VAT of £20.00 × £90.00 unpaid out of £120.00.
    expect((await listed()).badDebts).toMatchObject([
      { invoice: owed.id, amount: 1500, reason: 'Write the invoice off first' },
    ])
    const claim = { vatReturn: claimed['@id'], invoice: owed['@id'] }
    expect((await finance.post('/api/financial/vat_bad_debts', claim)).status).toBe(422)
    await post(finance, `${owed['@id']}/write-off`, { reason: 'Insolvent' })
    expect((await post(finance, '/api/financial/vat_bad_debts', claim)).amount).toBe(1500)
    const figures = (await listed()).boxes.map((b: { amount: number }) => b.amount)
    expect([figures[0], figures[3], figures[4]]).toEqual([2000, 1500, 500])
    const now = Temporal.Now.plainDateISO('Europe/London').add({
      days: thisMonth.add({ months: 9 }).since(today, { largestUnit: 'days' }).days + 2,
    })
    await post(finance, `${claimed['@id']}/file`, { filedOn: now.toString(), netVatDue: 500 })
    await post(finance, `${owed['@id']}/reopen`)
    await post(finance, '/api/financial/charges', {
      customer: w.buyer,
      invoice: owed['@id'],
      method: 'bank',
      card: null,
      amount: 6000,
      receivedAt: `${now.toString()}T00:00:30Z`,
    })
    const next = await post(finance, RETURNS, monthly(9))
    const { body } = await finance.get(`${next['@id']}/rows?box=1`)
    expect(body['hydra:member']).toMatchObject([
      { description: `Bad debt relief repaid: ${owed.number}`, amount: 1000 },
    ])
  } finally {
    await moveClock(w.portal.engine, 0)
  }
})

/** Rounds a fraction, for a recalculation without intermediate rounding. */
const roundFraction = (top: bigint, bottom: bigint): number => {
  const sign = top < 0n !== bottom < 0n ? -1n : 1n
  const [t, b] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom]
  return Number(sign * ((2n * t + b) / (2n * b))) || 0
}
const RATE_UNITS = 10_000n

interface Line {
  readonly net: number
  readonly taxCode: string
}
interface Document {
  readonly id: number
  readonly currency: string
  readonly exchangeRate: number | null
  readonly sterlingTax: number | null
  readonly tax: number
  readonly total: number
  readonly lines: readonly Line[]
}
interface Invoice extends Document {
  readonly state: string
  readonly taxPoint: string
  readonly amountPaid: number
}
interface Note extends Document {
  readonly date: string
  readonly invoice: { readonly id: number }
}
interface Payment {
  readonly invoice: number
  readonly day: string
  readonly amount: number
}

const netOf = (of: Document, without: readonly string[]) =>
  of.lines.filter((l) => !without.includes(l.taxCode)).reduce((all, l) => all + l.net, 0)
const sterlingVat = (of: Document) => (of.currency === 'GBP' ? of.tax : (of.sterlingTax ?? 0))
const toSterling = (pence: number, { currency, exchangeRate }: Document) =>
  currency === 'GBP'
    ? pence
    : roundFraction(BigInt(pence) * RATE_UNITS, BigInt(Math.round((exchangeRate ?? 0) * Number(RATE_UNITS))))

/** Recalculates boxes 1 and 6 from documents and payments, in pence. */
function recalculate(
  scheme: 'invoice' | 'cash',
  { from, to }: { from: string; to: string },
  invoices: readonly Invoice[],
  notes: readonly Note[],
  payments: readonly Payment[],
): [number, number] {
  const isIn = (day: string) => from <= day && day <= to
  const voidedOn = today.toString()
  let [vat, net] = [0, 0]
  const add = (of: Document, day: string, sign: number) => {
    if (!isIn(day)) return
    if (scheme === 'invoice') {
      vat += sign * sterlingVat(of)
      net += toSterling(sign * netOf(of, ['outside']), of)
    } else net += toSterling(sign * (netOf(of, ['outside']) - netOf(of, ['outside', 'reverse'])), of)
  }
  for (const one of invoices) {
    add(one, one.taxPoint, 1)
    if (one.state === 'void') add(one, voidedOn, -1)
  }
  for (const note of notes) add(note, note.date, -1)
  if (scheme === 'invoice') return [vat, net]
  const eve = Temporal.PlainDate.from(from).subtract({ days: 1 }).toString()
  for (const one of invoices) {
    const paidPart = (day: string): [number, number] => {
      const credited = notes.filter((n) => n.invoice.id === one.id && n.date <= day)
      const sum = (f: (d: Document) => number) => f(one) - credited.reduce((all, n) => all + f(n), 0)
      const total = sum((d) => d.total)
      const received = payments
        .filter((p) => p.invoice === one.id && p.day <= day)
        .reduce((all, p) => all + p.amount, 0)
      const paid = Math.min(received, total)
      if (total <= 0) return [0, 0]
      const value = toSterling(
        sum((d) => netOf(d, ['outside', 'reverse'])),
        one,
      )
      return [
        roundFraction(BigInt(sum(sterlingVat)) * BigInt(paid), BigInt(total)),
        roundFraction(BigInt(value) * BigInt(paid), BigInt(total)),
      ]
    }
    const [[v1, n1], [v0, n0]] = [paidPart(to), paidPart(eve)]
    vat += v1 - v0
    net += n1 - n0
  }
  return [vat, net]
}

test('boxes 1 and 6 equal a recalculation in fractions for random histories, under both schemes', async () => {
  const random = new Random(Number(process.env.RANDOM_SEED))
  const w = await books()
  const euros = await w.newCustomer({ currency: 'EUR' })
  const dayIn = (n: number) => {
    const { from, to } = month(n)
    const day = Temporal.PlainDate.from(from)
      .add({ days: random.below(28) })
      .toString()
    return [to, today.toString(), day].toSorted()[0] ?? from
  }
  const payments: Payment[] = []
  const rates = new Map<string, number>()
  /** Returns a month's exchange rate, which a seller uses for all invoices of that month. */
  const rateOf = (day: string): number => {
    const rate = rates.get(day.slice(0, 7)) ?? (11_000 + random.below(900)) / 10_000
    rates.set(day.slice(0, 7), rate)
    return rate
  }
  for (let n = 0; n < 24; n++) {
    const currency = random.chance(0.3) ? 'EUR' : 'GBP'
    const codes = ['standard', 'reduced', 'zero', 'exempt', 'outside', 'reverse']
    const lines = Array.from({ length: 1 + random.below(4) }, () => line(1 + random.below(99_999), random.pick(codes)))
    const usable =
      currency === 'EUR' ? lines.map((l) => (l.taxCode === 'reverse' ? { ...l, taxCode: 'zero' } : l)) : lines
    const taxPoint = dayIn(-1 - random.below(2))
    const more = currency === 'EUR' ? { currency, customer: euros, exchangeRate: rateOf(taxPoint) } : {}
    const made = await issueOn(w, taxPoint, [line(1000), ...usable], more)
    const fate = random.below(6)
    if (fate === 0) await post(w.finance, `${made['@id']}/void`, { reason: 'Wrong' })
    else if (fate <= 3) {
      const amount = fate === 1 ? made.total : 1 + random.below(made.total)
      const day = [taxPoint, dayIn(-random.below(2))].toSorted()[1] ?? taxPoint
      const customer = currency === 'EUR' ? euros : w.buyer
      const charge = await post(w.finance, '/api/financial/charges', {
        customer,
        invoice: made['@id'],
        method: 'bank',
        card: null,
        amount,
        receivedAt: `${day}T00:00:30Z`,
      })
      payments.push({ invoice: made.id, day, amount: charge.amountSettled })
      if (random.chance(0.3)) {
        const back = 1 + random.below(amount)
        await post(w.finance, `${charge['@id']}/refund`, { amount: back, reason: 'Too much' })
        const after = (await w.finance.get(charge['@id'])).body.amountSettled
        payments.push({ invoice: made.id, day: today.toString(), amount: after - charge.amountSettled })
      }
    }
    if (fate >= 3 && random.chance(0.6)) {
      const net = 1 + random.below(made.lines[0].net)
      await post(w.finance, '/api/financial/credit_notes', {
        invoice: made['@id'],
        reason: 'Part',
        lines: [{ line: made.lines[0]['@id'], net }],
      })
    }
  }
  const full = async (path: string) => {
    const { body } = await w.finance.get(`/api/financial/${path}?itemsPerPage=100`)
    return Promise.all(
      body['hydra:member'].map(async (one: { '@id': string }) => (await w.finance.get(one['@id'])).body),
    )
  }
  const [invoices, notes] = [(await full('invoices')) as Invoice[], (await full('credit_notes')) as Note[]]
  // The rest of the payments is credit from other invoices, applied on issue.
  for (const { id, amountPaid } of invoices) {
    const received = payments.filter((p) => p.invoice === id).reduce((all, p) => all + p.amount, 0)
    if (amountPaid !== received) payments.push({ invoice: id, day: today.toString(), amount: amountPaid - received })
  }
  const periods = [month(-2), month(-1), month(0)]
  const returns = []
  for (const period of periods) returns.push(await makeReturn(w, period))
  for (const scheme of ['invoice', 'cash'] as const)
    for (const [n, period] of periods.entries()) {
      const iri = returns[n]['@id']
      await w.finance.put(iri, { scheme })
      const [vat, net] = recalculate(scheme, period, invoices, notes, payments)
      const found = await boxes(w, iri)
      expect([scheme, n, found[0], found[5]]).toEqual([scheme, n, vat, Math.trunc(net / 100) * 100 || 0])
      const listed = await rows(w, iri, 6)
      expect(listed.reduce((all, [, amount]) => all + amount, 0)).toBe(net)
    }
})
