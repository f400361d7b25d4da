import { AsyncLocalStorage } from 'node:async_hooks'
import { accessScopeFor } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import { rolesAllowedToRead } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { iriOf, type RecordOf, type Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { findReferencedIds, hideUnreadableReferences } from '#server/data/access-sql.ts'
import { areFieldValuesEqual } from '#server/data/difference.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { ApiRecord, JsonFormat, RowArray } from '#server/data/json-select.ts'
import { type SelectPlan, selectPlanFor } from '#server/data/plan.ts'
import { listQuery, type PageRange, recordByIdQuery } from '#server/data/queries.ts'
import type { ListTotals } from '#server/data/totals.ts'
import { type FigureSeries, type GroupFigure, ListPage, readFigures, readListPage } from '#server/data/totals.ts'
import type { QueryCondition } from '#server/data/values.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { Db } from '#server/db/db.ts'
import { bindIdentitySql } from '#server/db/db.ts'
import { readInTransaction } from '#server/db/tx-reader.ts'
import type { DeclaredBehaviour } from './behaviour.ts'
import { type ConfidentialRead, logConfidentialRead, owningRelation, relatedId } from './confidential-reads.ts'
import {
  findConfidentialFieldsIn,
  hasOwnerFields,
  hasRowDependentFields,
  hideInaccessibleFields,
  visibleWrittenRecord,
} from './field-access.ts'
import { createAccessProblem } from './refusals.ts'
import type { Registry } from './registry.ts'
import { registryOf, runBeforeCommit } from './registry.ts'
import type { Context, Engine } from './types.ts'
import { createUnitContext } from './unit-of-work.ts'

/** A record that is about to be shown. */
interface RecordAccess {
  readonly clientId: number
  readonly id: number
  /** The part that is shown, if it may contain confidential fields. */
  readonly sent?: ApiRecord
  /** Values that the request itself contained, by field. Returning one of them unchanged is not a read. */
  readonly supplied?: Readonly<Record<string, unknown>>
}

interface AccessRecord {
  readonly clientId: number
  readonly write: (c: Context) => Promise<void>
}

const collected = new AsyncLocalStorage<AccessRecord[]>()

/**
 * Logs in the client's access log that confidential fields were read, or that provider staff read a client's record. A
 * read in a transaction is logged by that transaction; any other read is logged before the response is sent.
 */
async function recordAccess(engine: Engine, r: Resource, actor: Actor, access: RecordAccess): Promise<void> {
  const { clientId } = access
  const isProviders = !actor.kind && actor.clientId === PROVIDER_CLIENT_ID && clientId !== PROVIDER_CLIENT_ID
  const onRead = isProviders ? registryOf(engine).behaviours.get(r)?.onRead : undefined
  await logAccess(engine, r, actor, access, onRead)
}

/**
 * Returns a written record as the actor may see it, and logs which confidential fields were read. `supplied`: the values
 * that the request itself contained.
 */
export async function readWrittenRecord<R extends Resource>(
  engine: Engine,
  r: R,
  actor: Actor,
  written: PendingWrite<R>,
  supplied: Readonly<Record<string, unknown>> = {},
): Promise<RecordOf<R>> {
  const sent = visibleWrittenRecord(r, actor, written)
  await logAccess(engine, r, actor, { clientId: written.row().clientId, id: sent.id, sent, supplied }, undefined)
  return sent
}

async function logAccess(
  engine: Engine,
  r: Resource,
  actor: Actor,
  { clientId, id, sent, supplied = {} }: RecordAccess,
  onRead: DeclaredBehaviour['onRead'],
): Promise<void> {
  const isSupplied = (name: string) =>
    name in supplied && areFieldValuesEqual(r.fields[name], supplied[name], sent?.[name])
  const fields = sent ? findConfidentialFieldsIn(r, sent).filter(({ name }) => !isSupplied(name)) : []
  if (!fields.length && !onRead) return
  const write = async (c: Context) => {
    if (sent && fields.length) {
      const { requestId } = c.work
      const read = { clientId, resource: r, id, fields, requestId, ...(await describeRecord(c, r, sent)) }
      await logConfidentialRead(c.work.tx, actor, read)
    }
    await onRead?.(c, id)
  }
  const records = collected.getStore()
  if (records) return void records.push({ clientId, write })
  await engine.inTenant(clientId, { actor, requestId: 'opened' }, async (c) => {
    await write(c)
    return () => undefined
  })
}

/** Returns the title of a record or, if it is a part of another record, that record's title and IRI. */
async function describeRecord(
  c: Context,
  r: Resource,
  sent: ApiRecord,
): Promise<Pick<ConfidentialRead, 'title' | 'partOf'>> {
  const owner = owningRelation(r)
  const id = owner && relatedId(sent[owner.name])
  if (!owner || id === undefined) return { title: titleIn(r, sent) }
  const record = await c.get(owner.target, id)
  return { title: record && titleIn(owner.target, record), partOf: iriOf(owner.target, id) }
}

function titleIn({ title, fields }: Resource, record: Readonly<Record<string, unknown>>): string | undefined {
  const field = title ? fields[title] : undefined
  const value = title && field && !rolesAllowedToRead(field) ? record[title] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Builds a response from a transaction's uncommitted writes, and logs access to the records read for it. */
export async function buildResponseInTransaction<T>(c: Context, answer: () => T | Promise<T>): Promise<T> {
  const { actor, now, engine, query, work } = c
  const records: AccessRecord[] = []
  const value = await readInTransaction(work.tx, () => collected.run(records, async () => answer()))
  for (const { clientId, write } of records) {
    await work.tx.script(bindIdentitySql({ clientId, userId: actor.userId }))
    const inTenant = work.inTenant(clientId)
    const inClient = createUnitContext({ actor, now, clientId, work: inTenant, engine, query })
    await write(inClient)
    await runBeforeCommit(inClient)
    await inTenant.flush()
    for (const table of inTenant.touched) work.touched.add(table)
  }
  return value
}

/** Reads lists and single records, limited to what the actor may access. */
export abstract class RecordReads {
  abstract readonly db: Db
  abstract readonly totals: ListTotals
  protected abstract readonly registry: Registry
  /** The engine itself, passed to hooks. */
  protected abstract readonly self: Engine

  extraFilters(r: Resource, query: RequestQuery): readonly QueryCondition[] {
    return this.registry.behaviours.get(r)?.extraFilters?.(query, this.registry.resources) ?? []
  }

  async list<R extends Resource>(
    r: R,
    actor: Actor | undefined,
    query: RequestQuery,
    page: PageRange,
    { count = true, extra = [] as readonly QueryCondition[] } = {},
  ): Promise<ListPage<R>> {
    const q = listQuery(r, actor, query, page, [...this.extraFilters(r, query), ...extra])
    if (!q) throw createAccessProblem(actor, r)
    const found = await readListPage(this.db.read, q, page, count ? this.totals.of(r.table, q.count) : undefined)
    const plan = selectPlanFor(r, actor, true)
    const rows = await hideUnreadableReferences(this.db.read, actor, plan, found.rows)
    return new ListPage<R>(rows, plan, found.total)
  }

  figures(actor: Actor, series: readonly FigureSeries[]): Promise<GroupFigure[]> {
    return readFigures(this.db.read, actor, series, ({ of, where }) => this.extraFilters(of, where))
  }

  one<R extends Resource>(r: R, actor: Actor | undefined, id: number): Promise<RecordOf<R>> {
    return this.read(r, actor, id, {})
  }

  /**
   * Reads one record as lists show it: without its rows and confidential fields. Nothing is logged as read. Throws 404
   * if the actor can't read the record.
   */
  async oneAsListed<R extends Resource>(r: R, actor: Actor, id: number): Promise<RecordOf<R>> {
    const { members } = await this.list(r, actor, { id: String(id) }, { limit: 1, offset: 0 }, { count: false })
    const [found] = members
    if (!found) throw problem.notFound()
    return found
  }

  /** Reads one record for a response. `supplied`: the values that the request itself contained. */
  protected async read<R extends Resource>(
    r: R,
    actor: Actor | undefined,
    id: number,
    supplied: Readonly<Record<string, unknown>>,
  ): Promise<RecordOf<R>> {
    const { row, plan } = await this.find(r, actor, id)
    const sent = plan.send(row) as RecordOf<R>
    if (actor && hasRowDependentFields(r)) hideInaccessibleFields(r, actor, sent)
    if (actor)
      await recordAccess(this.self, r, actor, { clientId: Number(row[1]), id: Number(sent.id), sent, supplied })
    return sent
  }

  async oneText(r: Resource, actor: Actor | undefined, id: number, form: JsonFormat): Promise<string> {
    const { row, plan } = await this.find(r, actor, id)
    if (actor) await recordAccess(this.self, r, actor, { clientId: Number(row[1]), id })
    return plan.text(row, form)
  }

  async idOf(r: Resource, actor: Actor | undefined, given: string | undefined): Promise<number> {
    const id = parseId(given)
    if (id !== undefined) return id
    if (given === undefined) throw problem.notFound()
    if (!r.alias || accessScopeFor(actor, 'read', r).tenants === 'none') throw problem.notFound()
    const found = await findReferencedIds(this.db.read, actor, [{ field: 'id', target: r, given, alias: given }]).catch(
      () => {
        throw problem.notFound()
      },
    )
    return found.id as number
  }

  private async find(r: Resource, actor: Actor | undefined, id: number): Promise<{ row: RowArray; plan: SelectPlan }> {
    // The row itself states the owners of its fields. The complete row is therefore read, and hidden fields are removed
    // afterwards.
    const q = recordByIdQuery(r, actor, 'read', id, { everything: actor !== undefined && hasOwnerFields(r) })
    if (!q) throw createAccessProblem(actor, r)
    const rows = await this.db.read.arrays(q.query, q.values)
    const [row] = await hideUnreadableReferences(this.db.read, actor, q.plan, rows)
    if (!row) throw problem.notFound()
    return { row, plan: q.plan }
  }
}
