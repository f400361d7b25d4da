import { setImmediate as breathe } from 'node:timers/promises'
import { Problem } from '#kernel/errors.ts'
import type { Engine } from '#server/engine/engine.ts'
import { type Cells, rowsOf } from '#server/files/csv.ts'
import { advance, type Batch, type Counts, type Held, Stopped, settle } from './batch.server.ts'
import { findMatches } from './duplicates.server.ts'
import { keysOf, SAME, Seen } from './keys.ts'
import { type Lists, readLists, refer } from './lists.server.ts'
import { called, rowReader } from './row.ts'
import { addLeads, freshStatistics, type Reported, report, type Taken } from './write.server.ts'

/** Rows that are decided and written together; after each such step the embedded database serves whoever waits. */
const STEP = { server: 1000, embedded: 250 } as const

export interface Progress extends Counts {
  readonly rows_total: number | null
}

/**
 * Reads a batch's file to its end, step by step. A step's leads, its report and how far it got are one transaction: a
 * batch that is interrupted goes on behind its last step.
 */
export async function runImport(
  engine: Engine,
  held: Held,
  batch: Batch,
  path: string,
  onStep: (p: Progress) => void = () => {},
): Promise<void> {
  try {
    const lists = await engine.db.tx({ clientId: held.clientId }, (tx) => readLists(tx, held.clientId))
    const step = new Step(engine, held, batch, lists)
    const size = STEP[engine.db.kind]
    let passed = -1 // the headings
    let rows: Cells[] = []
    const flush = async () => {
      if (!rows.length) return
      onStep({ ...(await step.take(rows)), rows_total: batch.rows_total })
      rows = []
      await breathe()
    }
    for await (const row of rowsOf(path, batch.format)) {
      if (++passed <= batch.rows_read) continue
      rows.push(row)
      if (rows.length === size) await flush()
    }
    await flush()
    await settle(engine.db, held, 'running', batch.dry_run ? 'checked' : 'finished')
  } catch (e) {
    if (e instanceof Stopped) return
    await settle(engine.db, held, 'running', 'failed', sentence(e, path))
    if (!(e instanceof Problem) && !gone(e, path)) throw e
  } finally {
    await freshStatistics(engine.db, batch).catch(() => {})
    engine.tell(new Set(['import_batch']))
  }
}

const gone = (e: unknown, path: string) =>
  (e as NodeJS.ErrnoException).code === 'ENOENT' && (e as NodeJS.ErrnoException).path === path

function sentence(e: unknown, path: string): string {
  if (e instanceof Problem) return e.message
  if (gone(e, path))
    return 'The uploaded file is no longer there. What was added is safe: choose the file again, and the leads already added will be found as duplicates; or undo this import.'
  return 'The import was stopped by a fault on our side. What was added is safe: carry on where it stopped, or undo it.'
}

class Step {
  private readonly engine: Engine
  private readonly held: Held
  private readonly batch: Batch
  private readonly lists: Lists
  private readonly read: ReturnType<typeof rowReader>
  private readonly done: Required<Pick<Counts, 'rows_read' | 'rows_added' | 'rows_duplicate' | 'rows_refused'>>
  /** In a dry run, the rows that would have been added: there is no lead to find them by. */
  private readonly dry: Seen | undefined

  constructor(engine: Engine, held: Held, batch: Batch, lists: Lists) {
    this.engine = engine
    this.held = held
    this.batch = batch
    this.lists = lists
    this.read = rowReader(batch.header, batch.mapping)
    this.dry = batch.dry_run ? new Seen() : undefined
    const { rows_read, rows_added, rows_duplicate, rows_refused } = batch
    this.done = { rows_read, rows_added, rows_duplicate, rows_refused }
  }

  async take(rows: readonly Cells[]): Promise<Counts> {
    const understood = rows.map((row) => {
      const { lead, wrong } = this.read(row.cells)
      const refs = refer(lead, this.lists)
      return { line: row.line, lead, refs, keys: keysOf(lead), wrong: wrong ?? refs.wrong }
    })
    const good = understood.filter((u) => !u.wrong)
    const matches = await findMatches(
      this.engine.db,
      this.held.clientId,
      good.map((u) => u.keys),
    )
    const { duplicates, owners, cameFrom } = this.batch.settings
    const seen = this.dry ?? new Seen()
    const taken: Taken[] = []
    const reported: (Reported & { twin?: number })[] = understood.flatMap((u) =>
      u.wrong
        ? [{ line: u.line, outcome: 'refused' as const, company: called(u.lead), reason: u.wrong, contact: null }]
        : [],
    )
    good.forEach((u, n) => {
      const there = matches.get(n)
      const earlier = there ? undefined : seen.find(u.keys)
      if (there || earlier)
        reported.push({
          line: u.line,
          outcome: duplicates === 'add' ? 'added' : 'duplicate',
          company: called(u.lead),
          reason: there
            ? `Same ${SAME[there.same]} as a lead that is there already`
            : `Same ${SAME[(earlier as { same: keyof typeof SAME }).same]} as an earlier row of this file (line ${earlier?.line})`,
          contact: there?.id ?? null,
          ...(earlier ? { twin: earlier.line } : {}),
        })
      if ((there || earlier) && duplicates === 'skip') return
      const turn = this.done.rows_added + taken.length
      seen.add(u.keys, u.line)
      taken.push({
        lead: u.lead,
        line: u.line,
        owner: u.refs.owner ?? (owners.length ? (owners[turn % owners.length] as number) : null),
        cameFrom: u.refs.cameFrom ?? cameFrom,
        businessType: u.refs.businessType,
      })
    })
    const skipped = reported.filter((r) => r.outcome === 'duplicate').length
    const counts = {
      rows_read: this.done.rows_read + rows.length,
      rows_added: this.done.rows_added + taken.length,
      rows_duplicate: this.done.rows_duplicate + skipped,
      rows_refused: this.done.rows_refused + understood.length - good.length,
      bytes_read: rows.at(-1)?.bytes ?? 0,
    }
    await this.engine.db.tx({ clientId: this.held.clientId }, async (tx) => {
      await advance(tx, this.held, 'running', counts)
      const ids = this.dry ? [] : await addLeads(tx, this.held, this.batch, taken)
      const idAt = new Map(taken.map((t, k) => [t.line, ids[k] ?? null]))
      reported.sort((a, b) => a.line - b.line)
      await report(
        tx,
        this.held,
        reported.map((r) => (r.twin === undefined ? r : { ...r, contact: idAt.get(r.twin) ?? null })),
      )
    })
    Object.assign(this.done, counts)
    this.engine.tell(new Set(['import_batch', ...(this.dry ? [] : ['contact', 'note'])]))
    return counts
  }
}
