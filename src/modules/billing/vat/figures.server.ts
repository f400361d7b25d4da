import { prepareSql } from '#server/data/values.ts'
import type { Tx } from '#server/db/db.ts'
import { computeVatFigures, type VatBadDebtCandidate, type VatBox, type VatFigures, type VatRow } from './vat-return.ts'

/**
 * Returns SQL for the position of invoices at the end of two days, the last day of the period and the day before its
 * first: amounts after credits, the paid part, and VAT and net value in pence sterling. VAT in other currencies is the
 * sterling VAT stated on invoices and credit notes. The reverse charge and sales outside the scope are left out.
 */
const POSITIONS = (
  invoices: string,
) => `SELECT i.id, i.number, i.company, i.currency, d.side, i.total - c.total AS total, least(p.paid, i.total - c.total) AS paid,
    CASE WHEN i.currency = 'GBP' THEN i.tax - c.tax ELSE coalesce(i.sterling_tax, 0) - c.sterling END AS vat,
    round((n.net - c.net) / CASE WHEN i.currency = 'GBP' THEN 1 ELSE i.exchange_rate END) AS net
  FROM invoice i
  CROSS JOIN (VALUES ('before', $2::date - 1), ('after', $3::date)) d (side, day)
  CROSS JOIN LATERAL (SELECT coalesce(sum(l.net) FILTER (WHERE l.tax_code NOT IN ('outside', 'reverse')), 0) AS net FROM invoice_line l WHERE l.client_id = $1 AND l.invoice_id = i.id) n
  CROSS JOIN LATERAL (SELECT coalesce(sum(total), 0) AS total, coalesce(sum(tax), 0) AS tax, coalesce(sum(sterling_tax), 0) AS sterling, coalesce(sum(x.net), 0) AS net
    FROM credit_note n CROSS JOIN LATERAL (SELECT sum(l.net) FILTER (WHERE l.tax_code NOT IN ('outside', 'reverse')) AS net FROM credit_note_line l WHERE l.client_id = $1 AND l.credit_note_id = n.id) x
    WHERE n.client_id = $1 AND n.invoice_id = i.id AND n.date <= d.day) c
  CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS paid FROM invoice_settlement s WHERE s.client_id = $1 AND s.invoice_id = i.id AND s.day <= d.day) p
  WHERE i.client_id = $1 AND ${invoices}`

/** Sums of VAT and net values of postings, in the document’s currency. */
const SUMMED = `-coalesce(sum(e.amount) FILTER (WHERE e.account = 'vat'), 0) AS vat,
    -coalesce(sum(e.amount) FILTER (WHERE e.account <> 'vat' AND e.tax_code <> 'outside'), 0) AS net,
    -coalesce(sum(e.amount) FILTER (WHERE e.account <> 'vat' AND e.tax_code = 'reverse'), 0) AS reverse,
    -coalesce(sum(e.amount) FILTER (WHERE e.account <> 'vat' AND e.tax_code = 'outside'), 0) AS outside`

/** Postings of a period's documents. */
const POSTINGS = `ledger_transaction t JOIN ledger_entry e ON e.client_id = t.client_id AND e.transaction_id = t.id
  WHERE t.client_id = $1 AND t.kind IN ('invoice', 'credit', 'void') AND t.day BETWEEN $2 AND $3 AND e.account IN ('sales', 'deferred', 'vat')`

/** Documents that meet a condition, with their sums, invoices, VAT in sterling and exchange rates. */
const statedSql = (condition: string) => `SELECT d.*, i.id AS invoice_id, i.company,
    CASE WHEN d.currency = 'GBP' THEN d.vat WHEN d.kind = 'credit' THEN -coalesce(n.sterling_tax, 0) WHEN d.kind = 'void' THEN -coalesce(i.sterling_tax, 0) ELSE coalesce(i.sterling_tax, 0) END AS vat_sterling,
    CASE WHEN d.currency = 'GBP' THEN 1 ELSE i.exchange_rate END AS rate
  FROM (SELECT t.id, t.kind, t.day, t.source_id, e.currency, t.description, ${SUMMED} FROM ${POSTINGS} AND ${condition}
    GROUP BY t.id, t.kind, t.day, t.source_id, e.currency, t.description) d
  LEFT JOIN credit_note n ON d.kind = 'credit' AND n.client_id = $1 AND n.id = d.source_id
  JOIN invoice i ON i.client_id = $1 AND i.id = CASE WHEN d.kind = 'credit' THEN n.invoice_id ELSE d.source_id END`

const STATED = statedSql('true')
/** Like `statedSql`, but with one row for all documents in sterling, which need no rounding. */
const STATED_IN_SUM = `SELECT NULL::bigint AS id, NULL::text AS kind, NULL::date AS day, NULL::bigint AS source_id, 'GBP' AS currency, NULL::text AS description,
    vat, net, reverse, outside, NULL::bigint AS invoice_id, NULL::text AS company, vat AS vat_sterling, 1 AS rate
  FROM (SELECT ${SUMMED} FROM ${POSTINGS} AND e.currency = 'GBP') s
  UNION ALL ${statedSql("e.currency <> 'GBP'")}`

/** Invoices whose payments or credits changed in the period, if cash accounting applies to them. */
const PAID_IN_PERIOD = `($6::date IS NULL OR i.tax_point >= $6::date) AND i.id IN (
  SELECT invoice_id FROM invoice_settlement WHERE client_id = $1 AND day BETWEEN $2 AND $3
  UNION SELECT invoice_id FROM credit_note WHERE client_id = $1 AND date BETWEEN $2 AND $3)`

/** VAT and net value of the paid part of an invoice. */
const PAID_PART = (column: string) => `CASE WHEN total > 0 THEN round(${column} * paid / total) ELSE 0 END`
const CHANGE = (column: string) => `sum(CASE side WHEN 'after' THEN 1 ELSE -1 END * ${PAID_PART(column)})`

/** Relief repaid by the end of a day, in proportion to the amounts paid or credited since the claim. */
const REPAID = (side: string) =>
  `round(b.amount * least(b.outstanding, greatest(0, b.outstanding - (SELECT total - paid FROM positions p WHERE p.id = b.invoice_id AND p.side = '${side}'))) / b.outstanding)`

/**
 * Common table expressions for a return. Parameters: client, first and last day, whether cash accounting is used,
 * return, and the first tax point under cash accounting.
 */
const partsSql = (stated: string) => `WITH stated AS (${stated}),
  cash AS (SELECT id, number, company, ${CHANGE('vat')} AS vat, ${CHANGE('net')} AS net FROM (${POSITIONS(PAID_IN_PERIOD)}) x WHERE $4 GROUP BY id, number, company),
  claims AS (SELECT b.* FROM vat_bad_debt b JOIN vat_return v ON v.client_id = $1 AND v.id = b.return_id
    WHERE b.client_id = $1 AND v.state = 'filed' AND v.last_day < $2),
  positions AS (${POSITIONS('i.id IN (SELECT invoice_id FROM claims)')}),
  typed AS (SELECT u.box, u.pence, u.what FROM vat_return v CROSS JOIN LATERAL (VALUES
    (2, acquisition_vat, 'VAT on acquisitions'), (4, purchase_vat, 'VAT on purchases'), (7, purchases, 'Purchases'), (8, dispatches, 'Goods supplied'), (9, acquisitions, 'Acquisitions')) u (box, pence, what)
    WHERE v.client_id = $1 AND v.id = $5)`

/** Rows of the boxes of a return, after its common table expressions. */
const ROWS = `SELECT 1 AS box, day, description, company, invoice_id, vat_sterling::bigint AS amount FROM stated WHERE NOT $4
  UNION ALL SELECT 6, day, description, company, invoice_id, round(CASE WHEN $4 THEN reverse ELSE net END / rate)::bigint FROM stated
  UNION ALL SELECT 1, $3::date, 'Payments for ' || number, company, id, vat::bigint FROM cash
  UNION ALL SELECT 6, $3::date, 'Payments for ' || number, company, id, net::bigint FROM cash
  UNION ALL SELECT 1, $3::date, 'Bad debt relief repaid: ' || i.number, i.company, i.id, (${REPAID('after')} - ${REPAID('before')})::bigint
    FROM claims b JOIN invoice i ON i.client_id = $1 AND i.id = b.invoice_id
  UNION ALL SELECT 4, $3::date, 'Bad debt relief: ' || i.number, i.company, i.id, b.amount
    FROM vat_bad_debt b JOIN invoice i ON i.client_id = $1 AND i.id = b.invoice_id WHERE b.client_id = $1 AND b.return_id = $5
  UNION ALL SELECT box, $3::date, 'Adjustment: ' || reason, '', NULL, amount FROM vat_adjustment WHERE client_id = $1 AND return_id = $5
  UNION ALL SELECT box, $3::date, what || ', typed by hand', '', NULL, pence FROM typed`

/** Keys for sums that belong to no box: net value outside the scope of VAT, and documents without an exchange rate. */
const [OUTSIDE, UNRATED] = [0, -1]

const FILLED = `${partsSql(STATED)} SELECT * FROM (${ROWS}) r WHERE amount <> 0`
const SUMS = prepareSql(`${partsSql(STATED_IN_SUM)} SELECT box, sum(amount)::bigint FROM (${ROWS}) r GROUP BY box
  UNION ALL SELECT ${OUTSIDE}, coalesce(sum(round(outside / rate)) FILTER (WHERE rate IS NOT NULL), 0)::bigint FROM stated
  UNION ALL SELECT ${UNRATED}, count(*) FILTER (WHERE rate IS NULL AND net <> 0) FROM stated`)
const ONE_BOX = prepareSql(
  `SELECT day::text, description, company, invoice_id, amount FROM (${FILLED}) r WHERE box = ANY($7::int[]) ORDER BY day, description LIMIT $8 OFFSET $9`,
)
const FREEZE = `INSERT INTO vat_return_row (client_id, return_id, box, day, description, company, invoice_id, amount)
  SELECT $1, $5, box, day, description, company, invoice_id, amount FROM (${FILLED}) r ORDER BY box, day, description`
const FROZEN_BOX = `SELECT day::text, description, company, invoice_id, amount FROM vat_return_row
  WHERE client_id = $1 AND return_id = $2 AND box = ANY($3::int[]) ORDER BY id LIMIT $4 OFFSET $5`

/** Fields of a return that the queries need. */
export interface VatReturnKey {
  readonly id: number
  readonly from: string
  readonly to: string
  readonly scheme: string
  readonly state: string
}

/**
 * First tax point under cash accounting: the day after the last filed return by invoice date. Earlier invoices were
 * already in that return. Null if there is none.
 */
const CASH_SINCE = `SELECT (max(last_day) + 1)::text AS day FROM vat_return WHERE client_id = $1 AND state = 'filed' AND scheme = 'invoice' AND last_day < $2`

async function parametersOf(tx: Tx, clientId: number, of: VatReturnKey) {
  const [since] = await tx.rows<{ day: string | null }>(CASH_SINCE, [clientId, of.from])
  return [clientId, of.from, of.to, of.scheme === 'cash', of.id, since?.day ?? null]
}

/** Sums of a draft, by box and by the keys above. */
export type VatSums = ReadonlyMap<number, number>

export async function loadVatSums(tx: Tx, clientId: number, of: VatReturnKey): Promise<VatSums> {
  const sums = await tx.arrays(SUMS, await parametersOf(tx, clientId, of))
  return new Map(sums.map(([box, amount]) => [Number(box), Number(amount)]))
}

/** Calculates the figures of a draft from its documents. */
export const loadVatFigures = async (tx: Tx, clientId: number, of: VatReturnKey): Promise<VatFigures> =>
  computeVatFigures(Object.fromEntries(await loadVatSums(tx, clientId, of)))

/** Returns the boxes whose rows make up a box; a total has the rows of the boxes from which it is calculated. */
const boxesOf = (box: VatBox): readonly number[] => (box === 3 ? [1, 2] : box === 5 ? [1, 2, 4] : [box])

export async function loadVatRows(
  tx: Tx,
  clientId: number,
  of: VatReturnKey,
  box: VatBox,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<VatRow[]> {
  const boxes = boxesOf(box)
  const found =
    of.state === 'filed'
      ? await tx.arrays(prepareSql(FROZEN_BOX), [clientId, of.id, boxes, limit, offset])
      : await tx.arrays(ONE_BOX, [...(await parametersOf(tx, clientId, of)), boxes, limit, offset])
  return found.map(([day, description, company, invoice, amount]) => ({
    day: String(day),
    description: String(description),
    company: String(company),
    invoice: invoice === null ? null : Number(invoice),
    amount: Number(amount),
  }))
}

/** Stores the rows of a return permanently, and returns its figures. */
export async function freezeVatRows(tx: Tx, clientId: number, of: VatReturnKey): Promise<VatFigures> {
  await tx.rows(FREEZE, await parametersOf(tx, clientId, of))
  return loadVatFigures(tx, clientId, of)
}

const UNRATED_NAMES = `SELECT description FROM (${STATED}) s WHERE rate IS NULL AND net <> 0`
const DRAFTS = `SELECT id::int, company, tax_point::text AS day FROM invoice WHERE client_id = $1 AND state = 'draft' AND tax_point BETWEEN $2 AND $3 ORDER BY id LIMIT 100`

export interface VatWarningFacts {
  readonly outside: number
  readonly unrated: readonly string[]
  readonly drafts: readonly { readonly id: number; readonly company: string; readonly day: string }[]
}

export async function loadVatWarnings(
  tx: Tx,
  clientId: number,
  { from, to }: VatReturnKey,
  sums: VatSums,
): Promise<VatWarningFacts> {
  const period = [clientId, from, to]
  const unrated = sums.get(UNRATED) ? await tx.rows<{ description: string }>(UNRATED_NAMES, period) : []
  const drafts = await tx.rows<VatWarningFacts['drafts'][number]>(DRAFTS, period)
  return { outside: sums.get(OUTSIDE) ?? 0, unrated: unrated.map(({ description }) => description), drafts }
}

/**
 * Unpaid invoices whose VAT can be claimed at the end of a period (VAT Notice 700/18, section 2): six months after the
 * later of due date and supply, within four years and six months, if VAT is accounted for by invoice date and was not
 * claimed in another return. The separate condition on the due date can use an index, because six months have at least
 * 181 days.
 */
const BAD_DEBTS = `SELECT p.id::int AS invoice, p.number, p.company, i.due_on::text AS "dueOn", i.state,
    round(p.vat * (p.total - p.paid) / p.total)::int AS amount, (p.total - p.paid)::float8 AS outstanding
  FROM (${POSITIONS(`i.state IN ('open', 'uncollectible') AND i.tax <> 0 AND i.due_on <= $3::date - 181 AND greatest(i.due_on, i.tax_point) + interval '6 months' <= $3::date
    AND greatest(i.due_on, i.tax_point) + interval '4 years 6 months' > $3::date AND i.id NOT IN (SELECT invoice_id FROM vat_bad_debt WHERE client_id = $1 AND return_id <> $4)`)}) p
  JOIN invoice i ON i.client_id = $1 AND i.id = p.id WHERE p.side = 'after' AND p.total > p.paid AND p.vat > 0 ORDER BY i.due_on, i.id`

type BadDebt = Omit<VatBadDebtCandidate, 'reason'> & { readonly state: string; readonly outstanding: number }

export const loadBadDebts = async (tx: Tx, clientId: number, of: VatReturnKey): Promise<BadDebt[]> =>
  of.scheme === 'cash' || of.state === 'filed' ? [] : tx.rows<BadDebt>(BAD_DEBTS, [clientId, of.from, of.to, of.id])
