import { pathToFileURL } from 'node:url'
import { computeQuoteTotals, type QuoteTotalsLine } from '#modules/billing/lines/line.ts'
import { makeQuoteWorld } from '#test/support/quotes.ts'
import { medianTime } from './times.ts'

const LINE_COUNT = 500
const RUNS = 60

const lines: QuoteTotalsLine[] = Array.from({ length: LINE_COUNT }, (_, i) => ({
  quantity: 1 + (i % 7),
  unitAmount: 1000 + i * 3.25,
  taxPercent: i % 3 ? 20 : 5,
  discountable: i % 5 > 0,
}))

/**
 * Calculates a naive total, which can be a penny out because it uses floats and does not distribute the discount over
 * the lines.
 */
function plainSum(): number {
  let gross = 0
  for (const l of lines) {
    const amount = Math.round(Number(l.quantity) * Number(l.unitAmount))
    const net = l.discountable ? amount - Math.round(amount * 0.1) : amount
    gross += net + Math.round((net * Number(l.taxPercent)) / 100)
  }
  return gross
}

const exactSum = () =>
  computeQuoteTotals({
    currency: 'GBP',
    taxPercent: 20,
    lines,
    coupon: { percentOff: 10, amountOff: null, currency: null },
  }).gross

function time(run: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const from = performance.now()
    run()
    return performance.now() - from
  })
  return medianTime(times)
}

async function timeAsync(run: (n: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < RUNS / 3; n++) {
    const from = performance.now()
    await run(n)
    times.push(performance.now() - from)
  }
  return medianTime(times)
}

/**
 * Prints the time to total 500 lines compared with a plain loop over numbers. Also prints the times to save such a
 * quote, and to save it with one line changed, compared with a bare INSERT of the same lines.
 */
export async function printQuoteTimes(): Promise<void> {
  time(exactSum)
  time(plainSum)
  const [exact, plain] = [time(exactSum), time(plainSum)]
  console.log(
    `totals of ${LINE_COUNT} lines: ${exact.toFixed(2)} ms with exact numbers, ${plain.toFixed(3)} ms with floats: ${(exact / plain).toFixed(0)} ×`,
  )

  const w = await makeQuoteWorld()
  const additionalItems = lines.map((l, i) => ({ ...l, description: `Item ${i}` }))
  const made = await w.draft({ additionalItems: [] })
  const [{ client } = { client: 0 }] = await w.sql<{ client: number }>(
    'SELECT client_id AS client FROM quote WHERE id = $1',
    [made.id],
  )
  const create = await timeAsync(() => w.draft({ additionalItems }))
  const bare = await timeAsync(() =>
    w.portal.db.tx({ clientId: client }, (tx) =>
      tx.rows(
        `INSERT INTO quote_line (client_id, quote_id, kind, description, quantity, unit_amount, currency, tax_percent, discountable, position)
         SELECT $1, $2, 'additional', description, quantity, "unitAmount", 'GBP', "taxPercent", discountable, 0
         FROM jsonb_to_recordset($3::jsonb) AS n (description text, quantity numeric, "unitAmount" numeric, "taxPercent" numeric, discountable boolean)`,
        [client, made.id, JSON.stringify(additionalItems)],
      ),
    ),
  )
  const full = await w.draft({ additionalItems })
  const change = await timeAsync(async (n) => {
    const [first, ...rest] = full.additionalItems
    const answer = await w.api.put(full['@id'], { additionalItems: [{ ...first, quantity: n + 2 }, ...rest] })
    if (answer.status !== 200) throw new Error(answer.text)
  })
  console.log(
    `saving a new quote with ${LINE_COUNT} lines: ${create.toFixed(1)} ms; a plain INSERT of its lines: ${bare.toFixed(1)} ms: ${(create / bare).toFixed(1)} ×`,
  )
  console.log(
    `saving the quote with one line changed: ${change.toFixed(1)} ms: ${(change / bare).toFixed(1)} × the plain INSERT`,
  )
  await w.portal.app.close()
  await w.portal.db.close()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await printQuoteTimes()
