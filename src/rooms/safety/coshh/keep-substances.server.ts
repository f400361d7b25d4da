import { problem, type Violation, violation } from '#kernel/errors.ts'
import { idByIri } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import type { KeptRows } from '#rooms/documents/offers.server.ts'
import { uploadedDocument } from '#rooms/portal/files/uploaded-document.ts'
import { readableIds } from '#server/data/references.ts'
import type { Context } from '#server/engine/context.ts'
import { asWritten, labelProblems } from '../substances/codes.ts'
import { substance } from '../substances/substance.ts'
import { coshhSubstance } from './coshh-assessment.ts'
import { keptSubstance } from './kept-substance.server.ts'
import { changedSince, keptNow } from './newer.ts'
import { type Used, usedIn } from './substances-used.ts'

/**
 * The substances of a revision as they are kept, whatever is sent: what the library knows of one comes from there, or from where it was kept
 * before the library moved on. Of one that is in no library, what the library would take. Throws 422.
 */
export const keepSubstances: KeptRows = async (c, { next, before }) => {
  if (!Array.isArray(next.substances)) return {}
  const former = usedIn(before ?? {})
  const rows = (await fromLibrary(c, usedIn(next))).map((row) =>
    row.substance || isIn(former, row) ? row : written(row),
  )
  const own = rows.flatMap((row, i) =>
    row.substance || isIn(former, row) ? [] : [[row, `substances[${i}].`] as const],
  )
  const today = londonDate(c.now).toString()
  const wrong = [...own.flatMap(([row, at]) => labelProblems(row, today, at)), ...(await sheetProblems(c, own))]
  if (wrong.length) throw problem.invalid(wrong)
  return { substances: rows }
}

/** Rows that name a substance of the library with what it says of them, or said when another row was made of it. */
async function fromLibrary(c: Context, rows: readonly Used[]): Promise<readonly Used[]> {
  const ids = [...new Set(rows.flatMap((row) => (typeof row.substance === 'number' ? [row.substance] : [])))]
  if (!ids.length) return rows
  const kept = (await c.find(coshhSubstance, { substance: ids })) as Used[]
  const library = new Map<unknown, Used>()
  for (const found of await c.find(substance, { id: ids })) library.set(found.id, await keptSubstance(c, found))
  return rows.map((row) => {
    const now = library.get(row.substance)
    const isKept = kept.some((one) => one.substance === row.substance && !changedSince(row, one).length)
    return !now || isKept ? row : { ...row, ...keptNow(now) }
  })
}

const SAID = ['hazardStatements', 'precautions', 'sheet', 'sheetDate'] as const
const saidOf = (row: Used) => JSON.stringify(SAID.map((name) => row[name] ?? null))
/** Is it said so already? What was kept once is not in the way of what else is changed. */
const isIn = (former: readonly Used[], row: Used) => former.some((one) => !one.substance && saidOf(one) === saidOf(row))

const sheetOf = ({ sheet }: Used) => (sheet ? (idByIri(uploadedDocument, sheet) ?? 0) : undefined)

const written = (row: Used): Used => {
  const sheet = sheetOf(row)
  return {
    ...row,
    hazardStatements: asWritten(row.hazardStatements ?? []),
    precautions: asWritten(row.precautions ?? []),
    ...(sheet ? { sheet: iriOf(uploadedDocument, sheet) } : {}),
  }
}

/** A data sheet is a file that whoever names it may read. */
async function sheetProblems(c: Context, rows: readonly (readonly [row: Used, at: string])[]): Promise<Violation[]> {
  const named = rows.flatMap(([row, at]) => {
    const id = sheetOf(row)
    return id === undefined ? [] : [{ id, at }]
  })
  if (!named.length) return []
  const ids = named.map(({ id }) => id)
  const readable = await readableIds(c.work.tx, c.actor, uploadedDocument, ids)
  return named.flatMap(({ id, at }) =>
    readable.has(id) ? [] : [violation(`${at}sheet`, 'This file is not there. Please choose the data sheet again')],
  )
}
