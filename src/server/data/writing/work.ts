import { type Problem, problem } from '#kernel/errors.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { SecurityEvent } from '#kernel/security-event.ts'
import { settleAll } from '#kernel/settle-all.ts'
import type { PreparedSql, Tx } from '#server/db/db.ts'
import { auditedValues, diffRecord, mergeDiffs, removeUnchangedFields } from '../difference.ts'
import { defaultValuesOf, hasTenantColumn, type Row, selectPlanFor, toColumnValues } from '../plan.ts'
import type { RowsFieldChange } from '../rows.ts'
import { BoundValues, prepareSql } from '../values.ts'
import {
  bindFieldValue,
  bulkInsertSql,
  bulkUpdateSql,
  groupByColumns,
  jsonColumnValues,
  type RecordWrite,
  requireKnownFields,
} from './bulk-write.ts'
import { LockedRows } from './locked-rows.ts'
import type { FollowUpStatement, PendingWrite, SqlBuilder, UpdateStatement, WriteStatement } from './pending-write.ts'
import { composeWrites, SavedRecords } from './pending-write.ts'

/** A note for the security log, written after the commit. */
export interface SecurityLogEntry {
  readonly event: SecurityEvent
  readonly clientId: number
  readonly detail: string
}

type WriteValues = Readonly<Record<string, unknown>>
/**
 * Maximum changes per statement. Limited because a statement's time grows with the square of its changes, and
 * PostgreSQL limits the number of bound values.
 */
const PORTION_SIZE = 50

/**
 * Writes of one transaction, each with its audit row. They are collected and sent together in one round trip: as one
 * statement, or as one statement for every `PORTION_SIZE` writes.
 */
export class TransactionWrites {
  private steps: WriteStatement[] = []
  private followers: FollowUpStatement[] = []
  private updates = new Map<string, UpdateStatement>()
  private sending: Promise<void> | undefined
  readonly touched = new Set<string>()
  readonly saved = new SavedRecords()
  readonly locked = new LockedRows()
  private loaded = new Map<string, Promise<unknown>>()
  readonly securityNotes: SecurityLogEntry[] = []
  /** Functions that create the error for a violated unique index, by the name of the index. */
  readonly uniqueMessages = new Map<string, () => Problem>()
  readonly tx: Tx
  readonly actor: Actor
  /** The tenant whose rows this transaction may write. */
  readonly clientId: number
  readonly requestId: string
  constructor(tx: Tx, actor: Actor, clientId: number, requestId: string) {
    this.tx = tx
    this.actor = actor
    this.clientId = clientId
    this.requestId = requestId
  }

  /** Loads a value once in this transaction. A failed load can be retried. */
  once<T>(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.loaded.get(key) as Promise<T> | undefined
    if (known) return known
    const loading = load()
    this.loaded.set(key, loading)
    loading.catch(() => this.loaded.delete(key))
    return loading
  }

  /**
   * Returns the state of the transaction's rows, so that it can be restored if part of the transaction is rolled back.
   */
  snapshot() {
    return { locked: this.locked.snapshot(), loaded: new Map(this.loaded), notes: this.securityNotes.length }
  }

  restore({ locked, loaded, notes }: ReturnType<TransactionWrites['snapshot']>): void {
    this.locked.restore(locked)
    this.loaded = loaded
    this.securityNotes.length = notes
  }

  /** Inserts a record. Values are by field name, relations as IDs. */
  create<R extends Resource>(r: R, values: WriteValues): PendingWrite<R> {
    requireKnownFields(r, values)
    const given = { ...defaultValuesOf(r.fields), ...values }
    const sql: SqlBuilder = (v) => {
      const bound = new Map<string, string>()
      if (hasTenantColumn(r)) bound.set('client_id', `${v.next(this.clientId)}::int`)
      for (const [column, value] of Object.entries(r.only ?? {})) bound.set(column, `'${value}'`)
      for (const [name, value] of Object.entries(given)) {
        const column = r.columns[name]
        if (column && value !== undefined) bound.set(column, bindFieldValue(v, r, name, value))
      }
      for (const [column, object] of jsonColumnValues(r, given))
        bound.set(column, `${v.next(JSON.stringify(object))}::jsonb`)
      const columns = bound.size
        ? `(${[...bound.keys()].join(', ')}) VALUES (${[...bound.values()].join(', ')})`
        : 'DEFAULT VALUES'
      return `INSERT INTO ${r.table} ${columns}`
    }
    const written = this.add(r, {
      table: r.table,
      sql,
      audits: [{ resource: r, verb: 'create', changes: auditedValues(r, values) }],
      answers: [],
    })
    this.saved.note(r, written)
    return written
  }

  /** Changes fields of a locked record. A second change to the row is merged into the first. */
  update<R extends Resource>(
    r: R,
    before: RowOf<R> | Row,
    changes: WriteValues,
    verb = 'update',
    auditedRows: WriteValues = {},
  ): PendingWrite<R> {
    requireKnownFields(r, changes)
    const names = Object.keys(changes).filter((n) => r.columns[n])
    const inside = jsonColumnValues(r, changes)
    const within = inside.flatMap(([, object]) => Object.keys(object))
    const diff = { ...diffRecord(r, before, changes, [...names, ...within]), ...auditedRows }
    this.saved.note(r, before.id)
    const key = keyOf(r, before.id)
    const known = this.updates.get(key)
    const step = known ?? this.updateStep(r, before.id)
    for (const n of names) step.sets.set(r.columns[n] as string, (v) => bindFieldValue(v, r, n, changes[n]))
    for (const [column, object] of inside) step.inside.set(column, { ...step.inside.get(column), ...object })
    // Merges only with the directly preceding audit row, so that rows in between keep their position in the audit.
    const audit = step.audits.at(-1)
    if (audit?.verb === verb && audit.resource.type === r.type) audit.changes = mergeDiffs(audit.changes, diff)
    else step.audits.push({ resource: r, verb, changes: diff })
    if (known) return this.answer(r, known)
    this.updates.set(key, step)
    return this.add(r, step)
  }

  private updateStep(r: Resource, id: number): UpdateStatement {
    const sets: UpdateStatement['sets'] = new Map()
    const inside: UpdateStatement['inside'] = new Map()
    const sql: SqlBuilder = (v) => {
      const all = [...sets].map(([column, value]) => `${column} = ${value(v)}`)
      for (const [column, object] of inside)
        all.push(`${column} = ${column} || ${v.next(JSON.stringify(object))}::jsonb`)
      // If only the record's rows changed, the record itself is still audited and returned.
      if (!all.length) all.push('id = id')
      return `UPDATE ${r.table} SET ${all.join(', ')} WHERE ${this.where(r, id, v)}`
    }
    return { table: r.table, sql, audits: [], answers: [], sets, inside }
  }

  remove<R extends Resource>(r: R, before: RowOf<R> | Row): PendingWrite<R> {
    return this.add(r, {
      table: r.table,
      sql: (v) => `DELETE FROM ${r.table} WHERE ${this.where(r, before.id, v)}`,
      audits: [{ resource: r, verb: 'delete', changes: auditedValues(r, before) }],
      answers: [],
    })
  }

  /** Inserts records of one resource together, after a flush; resolves to their IDs in the same order. */
  async createAll(r: Resource, all: readonly WriteValues[]): Promise<number[]> {
    for (const values of all) requireKnownFields(r, values)
    const ones = all.map(
      (values): RecordWrite => ({
        values: { ...defaultValuesOf(r.fields), ...withoutUndefined(values) },
        audit: auditedValues(r, values),
      }),
    )
    const made = new Map<RecordWrite, number>()
    for (const portion of groupByColumns(ones).flatMap(portionsOf)) {
      const ids = await this.bulk(r, (v) => bulkInsertSql(v, this, r, portion))
      for (const [n, one] of portion.entries()) made.set(one, Number(ids[n]?.[0]))
    }
    for (const id of made.values()) this.saved.note(r, id)
    return ones.map((one) => made.get(one) ?? 0)
  }

  /** Updates locked records of one resource together, after a flush. Throws 404 if one was deleted. */
  async updateAll(r: Resource, all: readonly { before: Row; changes: WriteValues }[], verb: string): Promise<void> {
    for (const { changes } of all) requireKnownFields(r, changes)
    const ones = all.map(
      ({ before, changes }): RecordWrite => ({
        id: before.id,
        values: changes,
        audit: removeUnchangedFields(r, diffRecord(r, before, changes, Object.keys(changes))),
      }),
    )
    for (const portion of groupByColumns(ones).flatMap(portionsOf)) {
      const found = await this.bulk(r, (v) => bulkUpdateSql(v, this, r, portion, verb))
      if (found.length !== portion.length) throw problem.notFound()
    }
    for (const { before } of all) this.saved.note(r, before.id)
  }

  /** Inserts the rows of one field for new records, at most `PORTION_SIZE` rows in each statement. */
  async insertRows(all: readonly { readonly change: RowsFieldChange; readonly parentId: number }[]): Promise<void> {
    const [first] = all
    if (!first) return
    const { target: r, by } = first.change
    const link = r.columns[by] as string
    const columns = ownColumns(r, by)
    const records = all.flatMap(({ change, parentId }) =>
      change.added.map((row) => ({ ...toColumnValues(r, row), [link]: parentId })),
    )
    for (const portion of portionsOf(records))
      await this.bulk(
        r,
        (v) =>
          `INSERT INTO ${r.table} (client_id, ${link}, ${columns.join(', ')}) SELECT ${v.next(this.clientId)}::int, n.${link}, ${columns.map((c) => `n.${c}`).join(', ')} FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(JSON.stringify(portion))}::jsonb) WITH ORDINALITY AS n ORDER BY ordinality`,
      )
  }

  /**
   * Writes the changes to the rows of a locked record: additions, changes, and retirements or removals. Each kind of
   * change has separate statements, with at most `PORTION_SIZE` rows each.
   */
  async writeRows(change: RowsFieldChange, parentId: number): Promise<void> {
    const { target: r, by, added, changed, removed } = change
    if (added.length) await this.insertRows([{ change, parentId }])
    if (!changed.length && !removed.length) return
    const tenant = (v: BoundValues) => `${v.next(this.clientId)}::int`
    const writable = ownColumns(r, by)
    const records = (rows: readonly WriteValues[]) =>
      JSON.stringify(rows.map((row) => ({ id: row.id, ...toColumnValues(r, row) })))
    for (const portion of portionsOf(changed))
      await this.bulk(
        r,
        (v) =>
          `UPDATE ${r.table} t SET ${writable.map((c) => `${c} = n.${c}`).join(', ')} FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(records(portion.map((c) => c.values)))}::jsonb) n WHERE t.client_id = ${tenant(v)} AND t.id = n.id AND t.${r.columns[by]} = ${v.next(parentId)}::bigint`,
      )
    for (const portion of portionsOf(removed)) {
      const which = (v: BoundValues) =>
        `client_id = ${tenant(v)} AND id = ANY(${v.next(portion.map((row) => row.id))}::bigint[])`
      await this.bulk(r, (v) =>
        r.columns.retired
          ? `UPDATE ${r.table} SET retired = true WHERE ${which(v)}`
          : `DELETE FROM ${r.table} WHERE ${which(v)}`,
      )
    }
  }

  /** Queues an unaudited statement to run after the collected writes. The commit is sent with the last statement. */
  follow(table: string, query: PreparedSql, values: readonly unknown[]): void {
    this.followers.push({ table, query, values })
  }

  /** True if a change to this record is collected but not yet sent. */
  isChanging(table: string, id: number): boolean {
    return this.updates.has(`${table} ${id}`)
  }

  /** Sends one statement for many rows, after the collected writes. */
  private async bulk(r: Resource, sql: SqlBuilder): Promise<unknown[][]> {
    const v = new BoundValues()
    const text = sql(v)
    this.touched.add(r.table)
    return this.flushWith(() => this.tx.arrays(prepareSql(text), v.list))
  }

  private where(r: Resource, id: number, v: BoundValues): string {
    const tenant = hasTenantColumn(r) ? `client_id = ${v.next(this.clientId)}::int AND ` : ''
    return `${tenant}id = ${v.next(id)}::bigint`
  }

  private add<R extends Resource>(r: R, step: WriteStatement): PendingWrite<R> {
    this.steps.push(step)
    return this.answer(r, step)
  }

  private answer<R extends Resource>(r: R, step: WriteStatement): PendingWrite<R> {
    const flush = () => this.flush()
    const written: PendingWrite<R> = {
      resource: r,
      row() {
        if (!this.stored) throw new Error(`${r.type}: the record has not been written yet`)
        return selectPlanFor(r).row(this.stored) as RowOf<R>
      },
      async saved() {
        if (!this.stored) await flush()
        return this.row()
      },
    }
    step.answers.push(written)
    return written
  }

  /** Creates an empty collection of writes in the same transaction, for another tenant's rows. */
  inTenant(clientId: number): TransactionWrites {
    return new TransactionWrites(this.tx, this.actor, clientId, this.requestId)
  }

  /** Drops the collected writes. */
  forget(): void {
    this.take()
  }

  /** Removes and returns the collected writes. */
  private take(): { steps: readonly WriteStatement[]; followers: readonly FollowUpStatement[] } {
    const { steps, followers } = this
    this.steps = []
    this.followers = []
    this.updates = new Map()
    return { steps, followers }
  }

  /** True if a collected write affects this table, so that a query would not see it. */
  hasPending(table: string): boolean {
    return [...this.steps, ...this.followers].some((one) => one.table === table)
  }

  /** Sends the collected writes; with `last`, together with the commit. */
  async flush(last = false): Promise<void> {
    while (this.sending) await this.sending
    const { steps, followers } = this.take()
    if (!steps.length && !followers.length) return
    const sent =
      steps.length <= PORTION_SIZE
        ? this.sendPortion(steps, followers, last)
        : this.sendPortions(portionsOf(steps), followers, last)
    // Concurrent callers wait for the complete flush, because their own writes may already be in transit.
    this.sending = sent.finally(() => {
      this.sending = undefined
    })
    await this.sending
  }

  /** Sends the collected writes followed by `next`. Needs one round trip if there are at most `PORTION_SIZE` writes. */
  async flushWith<T>(next: () => Promise<T>): Promise<T> {
    while (this.sending) await this.sending
    if (this.steps.length > PORTION_SIZE) await this.flush()
    const [, found] = await settleAll(this.flush(), next())
    return found
  }

  private async sendPortions(
    portions: readonly (readonly WriteStatement[])[],
    followers: readonly FollowUpStatement[],
    last: boolean,
  ): Promise<void> {
    for (const portion of portions.slice(0, -1)) await this.send(portion, false)
    await this.sendPortion(portions.at(-1) ?? [], followers, last)
  }

  /** Sends statements and their follow-up statements in one round trip. */
  private async sendPortion(
    steps: readonly WriteStatement[],
    followers: readonly FollowUpStatement[],
    last: boolean,
  ): Promise<void> {
    const sent: Promise<unknown>[] = steps.length ? [this.send(steps, last && !followers.length)] : []
    for (const follower of followers) {
      const { table, query, values } = follower
      const isLast = last && follower === followers.at(-1)
      sent.push(isLast ? this.tx.commitWith(query, values) : this.tx.arrays(query, values))
      this.touched.add(table)
    }
    await settleAll(...sent)
  }

  private async send(steps: readonly WriteStatement[], last: boolean): Promise<void> {
    const { query, values, read } = composeWrites(this, steps)
    const [row = []] = last ? await this.tx.commitWith(query, values) : await this.tx.arrays(query, values)
    read(row)
    for (const { table } of steps) this.touched.add(table)
  }
}

/** Splits a list into parts for one statement each. */
const portionsOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / PORTION_SIZE) }, (_, n) =>
    all.slice(n * PORTION_SIZE, (n + 1) * PORTION_SIZE),
  )

/** Returns the written columns of a row, without the relation to its record. */
const ownColumns = (r: Resource, by: string): string[] =>
  Object.entries(r.columns).flatMap(([name, column]) => (name === by || r.fields[name]?.readonly ? [] : [column]))

/** Removes undefined values, so that the table's defaults apply. */
const withoutUndefined = (values: WriteValues): WriteValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const keyOf = (r: Resource, id: number) => `${r.table} ${id}`
