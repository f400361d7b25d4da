import { problem, violation } from '#kernel/errors.ts'
import { integer } from '#kernel/fields.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'
import { connectionRoutes } from './connection.server.ts'
import { loadBadDebts, loadVatRows, loadVatSums, loadVatWarnings } from './figures.server.ts'
import { fileByHand, filingRoutes } from './filing.server.ts'
import { hmrcConnection } from './hmrc.ts'
import {
  computeVatFigures,
  invoiceSettlement,
  VAT_BOX_TITLES,
  VAT_BOXES,
  type VatBadDebtCandidate,
  type VatFigures,
  vatAdjustment,
  vatBadDebt,
  vatReturn,
  vatReturnRow,
} from './vat-return.ts'

type ReturnRow = RowOf<typeof vatReturn>

const day = (iso: string) => Temporal.PlainDate.from(iso)
const uk = formatIsoDateAsUk
const after = (iso: string) => day(iso).add({ days: 1 }).toString()

/** Throws 422 unless returns follow one another without gaps or overlaps. */
function checkPeriod(of: { from: string; to: string }, others: readonly ReturnRow[]): void {
  if (of.to < of.from) throw problem.invalid([violation('to', 'The last day is before the first')])
  const before = others.filter((one) => one.from <= of.from).toSorted((a, b) => (a.to < b.to ? 1 : -1))[0]
  const next = others.filter((one) => one.from > of.from).toSorted((a, b) => (a.from < b.from ? -1 : 1))[0]
  if (before && after(before.to) !== of.from)
    throw problem.invalid([
      violation('from', `The return before ends on ${uk(before.to)}, so this one starts on ${uk(after(before.to))}`),
    ])
  if (next && after(of.to) !== next.from)
    throw problem.invalid([
      violation('to', `The next return starts on ${uk(next.from)}, so this one ends on the day before`),
    ])
}

const returnBehaviour = behaviour(vatReturn, {
  beforeSave: async (c) => {
    const { from, to } = c.values
    if (!from || !to) return undefined
    checkPeriod(
      { from, to },
      (await c.find(vatReturn, {})).filter((one) => one.id !== c.before?.id),
    )
    return undefined
  },
  actions: {
    file: async (c) => ({ set: await fileByHand(c, c.row, c.input) }),
  },
})

const adjustmentBehaviour = behaviour(vatAdjustment, {
  beforeSave: (c) => {
    const { box, amount } = c.values
    if (amount === 0) throw problem.invalid([violation('amount', 'Please enter an amount other than 0')])
    if (box === 3 || box === 5)
      throw problem.invalid([violation('box', `Box ${box} is calculated. Adjust the boxes that it is made of`)])
    return undefined
  },
})

const NOT_WRITTEN_OFF = 'Write the invoice off first'

const badDebtBehaviour = behaviour(vatBadDebt, {
  beforeSave: async (c) => {
    const { vatReturn: id, invoice } = c.values
    if (typeof id !== 'number' || typeof invoice !== 'number') return undefined
    const of = await c.get(vatReturn, id)
    if (!of) throw problem.unknownTarget(iriOf(vatReturn, id))
    const debt = (await loadBadDebts(c.work.tx, c.clientId, of)).find((one) => one.invoice === invoice)
    const wrong = !debt
      ? 'This invoice has no bad debt that can be claimed in this period'
      : debt.state === 'uncollectible'
        ? ''
        : NOT_WRITTEN_OFF
    if (!debt || wrong) throw problem.invalid([violation('invoice', wrong)])
    return { amount: debt.amount, outstanding: debt.outstanding }
  },
})

const keyOf = async ({ engine, actor, params }: RouteContext) => {
  const id = await engine.idOf(vatReturn, actor, params.id)
  const of = await engine.one(vatReturn, actor, id)
  return { id, from: String(of.from), to: String(of.to), scheme: String(of.scheme), state: String(of.state), of }
}

async function figuresOf(c: RouteContext) {
  const { of, ...key } = await keyOf(c)
  const { clientId } = c.me
  const isFiled = key.state === 'filed'
  const others = await c.engine.readIn(clientId, 'find the VAT return before', (unit) => unit.find(vatReturn, {}))
  const { figures, facts, debts } = await c.engine.db.tx({ clientId }, async (tx) => {
    if (isFiled) return { figures: of.figures as VatFigures, facts: undefined, debts: [] }
    const sums = await loadVatSums(tx, clientId, key)
    return {
      figures: computeVatFigures(Object.fromEntries(sums)),
      facts: await loadVatWarnings(tx, clientId, key, sums),
      debts: key.state === 'draft' ? await loadBadDebts(tx, clientId, key) : [],
    }
  })
  const before = others.find((one) => after(one.to) === key.from)
  const today = londonDate(c.now).toString()
  const warnings = !facts
    ? []
    : [
        ...(key.to >= today ? [`The period ends on ${uk(key.to)}: figures may still change.`] : []),
        ...(before && before.state !== 'filed'
          ? [`The return for ${uk(before.from)} to ${uk(before.to)} is not filed yet.`]
          : []),
        ...facts.drafts.map(
          (draft) =>
            `The draft invoice for ${draft.company} has its tax point on ${uk(draft.day)}. Issue it before filing, or it will need another tax point.`,
        ),
        ...facts.unrated.map(
          (name) => `${name} has no exchange rate, so its value is missing in box 6. Add it as an adjustment.`,
        ),
        ...(facts.outside
          ? [
              `${formatMoney(facts.outside, 'GBP')} outside the scope of VAT is not in box 6. If it includes services to businesses abroad, add their value as an adjustment.`,
            ]
          : []),
        ...(before?.scheme === 'cash' && key.scheme === 'invoice'
          ? [
              `This is the first return after cash accounting. Add the VAT on invoices unpaid on ${uk(before.to)} as an adjustment to box 1.`,
            ]
          : []),
      ]
  return {
    '@id': `${iriOf(vatReturn, key.id)}/figures`,
    '@type': 'VatReturnFigures',
    boxes: VAT_BOXES.map((box) => ({ box, title: VAT_BOX_TITLES[box], amount: figures[box] })),
    warnings,
    badDebts: debts.map(
      ({ invoice, number, company, dueOn, amount, state }): VatBadDebtCandidate => ({
        invoice,
        number,
        company,
        dueOn,
        amount,
        reason: state === 'uncollectible' ? '' : NOT_WRITTEN_OFF,
      }),
    ),
  }
}

const ROWS_PER_PAGE = 1000

async function rowsOf(c: RouteContext) {
  const { of: _, ...key } = await keyOf(c)
  const asked = Number(firstQueryValue(c.query.box))
  const box = VAT_BOXES.find((one) => one === asked)
  if (!box) throw problem.badRequest('"box" must be a number from 1 to 9.')
  const page = Math.max(1, Number(firstQueryValue(c.query.page)) || 1)
  const rows = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
    loadVatRows(tx, c.me.clientId, key, box, { limit: ROWS_PER_PAGE, offset: (page - 1) * ROWS_PER_PAGE }),
  )
  return hydraCollection(rows)
}

const routes: readonly Route[] = [
  {
    method: 'GET',
    path: `${vatReturn.url}/{id}/figures`,
    title: 'Get the boxes of a VAT return in pence sterling, warnings before filing, and bad debts to claim',
    allow: FINANCE_ROLES,
    handle: figuresOf,
  },
  {
    method: 'GET',
    path: `${vatReturn.url}/{id}/rows`,
    title: 'List the rows that make up a box of a VAT return, 1,000 at a time',
    allow: FINANCE_ROLES,
    listOf: 'objects',
    query: { box: integer({ required: true, help: 'Box, from 1 to 9.' }), page: integer({ help: 'Page, from 1.' }) },
    handle: rowsOf,
  },
]

export const vat = feature({
  pack: INVOICING_PACK,
  resources: [vatReturn, vatAdjustment, vatBadDebt, vatReturnRow, invoiceSettlement, hmrcConnection],
  behaviours: [returnBehaviour, adjustmentBehaviour, badDebtBehaviour],
  routes: [...routes, ...connectionRoutes, ...filingRoutes],
})
