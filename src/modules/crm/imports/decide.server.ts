import type { Conn } from '#server/db/db.ts'
import type { Cells } from '#server/files/csv.ts'
import type { Batch } from './batch.server.ts'
import { findMatches } from './duplicates.server.ts'
import { keysOf, SAME, Seen } from './keys.ts'
import { type Lists, refer } from './lists.server.ts'
import { leadName, type rowReader } from './row.ts'
import type { Reported, Taken } from './write.server.ts'

/** How the rows of a file are understood. */
export interface Reading {
  readonly batch: Batch
  readonly lists: Lists
  readonly read: ReturnType<typeof rowReader>
  /** In a dry run, the rows that would have been added: there is no lead to find them by. */
  readonly dry: Seen | undefined
}

/** What is to become of a portion of rows. */
export interface Decided {
  readonly taken: readonly Taken[]
  /** In the file's order; `twin` is the earlier line that a row repeats. */
  readonly reported: readonly (Reported & { readonly twin?: number })[]
  readonly refused: number
}

/** Decides which rows become leads, which repeat one, and which are refused. `before`: leads that the file has brought so far. */
export async function decideRows(
  tx: Conn,
  clientId: number,
  { batch, lists, read, dry }: Reading,
  rows: readonly Cells[],
  before: number,
): Promise<Decided> {
  const understood = rows.map((row) => {
    const { lead, wrong } = read(row.cells)
    const refs = refer(lead, lists)
    return { line: row.line, lead, refs, keys: keysOf(lead), wrong: wrong ?? refs.wrong }
  })
  const good = understood.filter((u) => !u.wrong)
  const matches = await findMatches(
    tx,
    clientId,
    good.map((u) => u.keys),
  )
  const { duplicates, owners, cameFrom } = batch.settings
  const seen = dry ?? new Seen()
  const taken: Taken[] = []
  const reported: (Reported & { twin?: number })[] = understood.flatMap((u) =>
    u.wrong
      ? [{ line: u.line, outcome: 'refused' as const, company: leadName(u.lead), reason: u.wrong, contact: null }]
      : [],
  )
  good.forEach((u, n) => {
    const there = matches.get(n)
    const earlier = there ? undefined : seen.find(u.keys)
    if (there || earlier)
      reported.push({
        line: u.line,
        outcome: duplicates === 'add' ? 'added' : 'duplicate',
        company: leadName(u.lead),
        reason: there
          ? `Same ${SAME[there.same]} as a lead that is there already`
          : `Same ${SAME[(earlier as { same: keyof typeof SAME }).same]} as an earlier row of this file (line ${earlier?.line})`,
        contact: there?.id ?? null,
        ...(earlier ? { twin: earlier.line } : {}),
      })
    if ((there || earlier) && duplicates === 'skip') return
    if (!there && !earlier && !u.lead.phone && !u.lead.mobile)
      reported.push({
        line: u.line,
        outcome: 'added',
        company: leadName(u.lead),
        reason: 'No telephone number: it can’t be rung',
        contact: null,
      })
    const turn = before + taken.length
    seen.add(u.keys, u.line)
    taken.push({
      lead: u.lead,
      line: u.line,
      owner: u.refs.owner ?? owners[turn % owners.length] ?? null,
      cameFrom: u.refs.cameFrom ?? cameFrom,
      businessType: u.refs.businessType,
    })
  })
  reported.sort((a, b) => a.line - b.line)
  return { taken, reported, refused: understood.length - good.length }
}
