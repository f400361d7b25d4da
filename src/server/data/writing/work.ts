import { type Problem, problem } from '#kernel/errors.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { SecurityEvent } from '#kernel/security-event.ts'
import { settleAll } from '#kernel/settle-all.ts'
import type { Prepared, Tx } from '#server/db/db.ts'
import { auditedValues, differenceOf, joinDifferences, withoutSame } from '../difference.ts'
import { asRecord, defaultsOf, type Row, selectPlanFor } from '../plan.ts'
import type { RowsChange } from '../rows.ts'
import { prepare, Values } from '../values.ts'
import { compose } from './compose.ts'
import { foreseen } from './foreseen.ts'
import { bindField, mustBeFields, valuesWithin } from './given-values.ts'
import { groupByColumns, insertText, type RecordWrite, updateText } from './many.ts'
import { type Asked, asStored, jsonIn } from './sent-json.ts'
import type { Expression, FollowUpStatement, PendingWrite, UpdateStatement, WriteStatement } from './step.ts'

/** What the security log is to tell of, once the transaction is committed. */
export interface SecurityNote {
  readonly event: SecurityEvent
  readonly clientId: number
  readonly detail: string
}

type Given = Readonly<Record<string, unknown>>
/**
 * Rows that one statement writes, and changes that it makes: between two statements others have their turn, which on the embedded
 * database is all that lets them in. The time of a statement grows with the square of its changes, and its values have a limit.
 */
const PORTION = 50

/** A row that is locked, with what the transaction has made of it since. */
interface Held {
  readonly before: Row
  readonly values?: Given
  /** The select list that it was read from. */
  readonly stored?: readonly unknown[] | undefined
}

/**
 * The writes of one transaction. They are collected and sent together, each with its audit row: as one statement, of many as one
 * for each portion, in one journey to the database.
 */
export class Work {
  private steps: WriteStatement[] = []
  private followers: FollowUpStatement[] = []
  private updates = new Map<string, UpdateStatement>()
  private sending: Promise<void> | undefined
  private readonly drawn = new Map<Resource, number[]>()
  readonly touched = new Set<string>()
  /** The rows that the transaction has locked, as it knows them now: what they are changed from. */
  held = new Map<string, Held>()
  /** The locks that have been asked for and are not answered yet. */
  readonly locking = new Map<string, Promise<Row>>()
  readonly noted: SecurityNote[] = []
  /** What it means where a unique index refuses what is collected, by the name of the index. */
  readonly worded = new Map<string, () => Problem>()
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

  /** Inserts a record; values by field name, relations as ids. */
  create<R extends Resource>(r: R, values: Given): PendingWrite<R> {
    mustBeFields(r, values)
    const given = asStored(r, { ...defaultsOf(r.fields), ...values })
    const id = this.drawn.get(r)?.shift()
    const keys = {
      ...(r.tenant === 'shared' || r.tenant === 'self' ? {} : { client_id: this.clientId }),
      ...(id === undefined ? {} : { id }),
    }
    const sql: WriteStatement['sql'] = (v) => {
      const bound = new Map<string, string>()
      for (const [column, value] of Object.entries(keys)) bound.set(column, `${v.next(value)}::bigint`)
      for (const [column, value] of Object.entries(r.only ?? {})) bound.set(column, `'${value}'`)
      for (const [name, value] of Object.entries(given)) {
        const column = r.columns[name]
        if (column && value !== undefined) bound.set(column, bindField(v, r, name, value))
      }
      for (const [column, held] of valuesWithin(r, given)) bound.set(column, `${v.next(JSON.stringify(held))}::jsonb`)
      const said = bound.size
        ? `(${[...bound.keys()].join(', ')}) VALUES (${[...bound.values()].join(', ')})`
        : 'DEFAULT VALUES'
      return { text: `INSERT INTO ${r.table} ${said}`, bound }
    }
    return this.add(r, {
      table: r.table,
      sql,
      audits: [{ resource: r, verb: 'create', changes: auditedValues(r, values) }],
      answers: [],
      json: jsonIn(r, given),
      asked: [],
      ...(id === undefined
        ? {}
        : { said: { resource: r, columns: { ...r.only, ...keys }, values: given, isNew: true } }),
    })
  }

  /** Changes some fields of a record that this transaction holds. A second change of the row joins the first. */
  update<R extends Resource>(
    r: R,
    before: RowOf<R> | Row,
    changes: Given,
    verb = 'update',
    rows: Given = {},
  ): PendingWrite<R> {
    mustBeFields(r, changes)
    const given = asStored(r, changes)
    const names = Object.keys(changes).filter((n) => r.columns[n])
    const inside = valuesWithin(r, changes)
    const within = inside.flatMap(([, held]) => Object.keys(held))
    const diff = { ...differenceOf(r, before, changes, [...names, ...within]), ...rows }
    const key = keyOf(r, before.id)
    const known = this.updates.get(key)
    const step = known ?? this.updateStep(r, before.id)
    for (const n of names) step.sets.set(r.columns[n] as string, (v) => bindField(v, r, n, given[n]))
    for (const [column, value] of jsonIn(r, given)) step.json.set(column, value)
    Object.assign(step.said.values, changes)
    for (const [column, held] of inside) step.inside.set(column, { ...step.inside.get(column), ...held })
    // Only with the one before it: what came in between is told in its place.
    const audit = step.audits.at(-1)
    if (audit?.verb === verb && audit.resource.type === r.type) audit.changes = joinDifferences(audit.changes, diff)
    else step.audits.push({ resource: r, verb, changes: diff })
    if (known) return this.answer(r, known)
    this.updates.set(key, step)
    return this.add(r, step)
  }

  private updateStep(r: Resource, id: number): UpdateStatement {
    const sets: UpdateStatement['sets'] = new Map()
    const inside: UpdateStatement['inside'] = new Map()
    const said: UpdateStatement['said'] = { resource: r, columns: { id }, values: {}, isNew: false }
    const sql: WriteStatement['sql'] = (v) => {
      const bound = new Map([...sets].map(([column, value]) => [column, value(v)] as const))
      const all = [...bound].map(([column, value]) => `${column} = ${value}`)
      for (const [column, held] of inside) all.push(`${column} = ${column} || ${v.next(JSON.stringify(held))}::jsonb`)
      // Only its rows changed: the record is still the one that is answered and told of.
      if (!all.length) all.push('id = id')
      const own = `${v.next(id)}::bigint`
      const text = `UPDATE ${r.table} SET ${all.join(', ')} WHERE ${this.where(r, own, v)}`
      return { text, bound: bound.set('id', own) }
    }
    return { table: r.table, sql, audits: [], answers: [], json: new Map(), asked: [], sets, inside, said }
  }

  remove<R extends Resource>(r: R, before: RowOf<R> | Row): PendingWrite<R> {
    return this.add(r, {
      table: r.table,
      sql: (v) => ({
        text: `DELETE FROM ${r.table} WHERE ${this.where(r, `${v.next(before.id)}::bigint`, v)}`,
        bound: new Map(),
      }),
      audits: [{ resource: r, verb: 'delete', changes: auditedValues(r, before) }],
      answers: [],
      json: new Map(),
      asked: [],
    })
  }

  /** Inserts records of one kind at once, behind what was collected; resolves to their ids in this order. */
  async createAll(r: Resource, all: readonly Given[]): Promise<number[]> {
    for (const values of all) mustBeFields(r, values)
    const ones = all.map(
      (values): RecordWrite => ({
        values: { ...defaultsOf(r.fields), ...withoutUnsaid(values) },
        told: auditedValues(r, values),
      }),
    )
    const made = new Map<RecordWrite, number>()
    for (const portion of groupByColumns(ones).flatMap(portionsOf)) {
      const ids = await this.bulk(r, (v) => insertText(v, this, r, portion))
      for (const [n, one] of portion.entries()) made.set(one, Number(ids[n]?.[0]))
    }
    return ones.map((one) => made.get(one) ?? 0)
  }

  /** Changes records of one kind that this transaction holds at once, behind what was collected. Throws 404 where one is gone. */
  async updateAll(r: Resource, all: readonly { before: Row; changes: Given }[], verb: string): Promise<void> {
    for (const { changes } of all) mustBeFields(r, changes)
    const ones = all.map(
      ({ before, changes }): RecordWrite => ({
        id: before.id,
        values: changes,
        told: withoutSame(r, differenceOf(r, before, changes, Object.keys(changes))),
      }),
    )
    for (const portion of groupByColumns(ones).flatMap(portionsOf)) {
      const found = await this.bulk(r, (v) => updateText(v, this, r, portion, verb))
      if (found.length !== portion.length) throw problem.notFound()
    }
  }

  /** The rows of new records, all of one field: in one statement. */
  async addRows(all: readonly { readonly change: RowsChange; readonly parentId: number }[]): Promise<void> {
    const [first] = all
    if (!first) return
    const { target: r, by } = first.change
    const link = r.columns[by] as string
    const columns = ownColumns(r, by)
    const records = all.flatMap(({ change, parentId }) =>
      change.added.map((row) => ({ ...asRecord(r, row), [link]: parentId })),
    )
    for (const portion of portionsOf(records))
      await this.bulk(
        r,
        (v) =>
          `INSERT INTO ${r.table} (client_id, ${link}, ${columns.join(', ')}) SELECT ${v.next(this.clientId)}::int, n.${link}, ${columns.map((c) => `n.${c}`).join(', ')} FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(JSON.stringify(portion))}::jsonb) WITH ORDINALITY AS n ORDER BY ordinality`,
      )
  }

  /** The rows of a record that this transaction holds: added, changed, and retired or removed, each in one statement. */
  async rows(change: RowsChange, parentId: number): Promise<void> {
    const { target: r, by, added, changed, removed } = change
    if (added.length) await this.addRows([{ change, parentId }])
    if (!changed.length && !removed.length) return
    const tenant = (v: Values) => `${v.next(this.clientId)}::int`
    const writable = ownColumns(r, by)
    const records = (rows: readonly Given[]) => JSON.stringify(rows.map((row) => ({ id: row.id, ...asRecord(r, row) })))
    for (const portion of portionsOf(changed))
      await this.bulk(
        r,
        (v) =>
          `UPDATE ${r.table} t SET ${writable.map((c) => `${c} = n.${c}`).join(', ')} FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(records(portion.map((c) => c.values)))}::jsonb) n WHERE t.client_id = ${tenant(v)} AND t.id = n.id AND t.${r.columns[by]} = ${v.next(parentId)}::bigint`,
      )
    for (const portion of portionsOf(removed)) {
      const which = (v: Values) =>
        `client_id = ${tenant(v)} AND id = ANY(${v.next(portion.map((row) => row.id))}::bigint[])`
      await this.bulk(r, (v) =>
        r.columns.retired
          ? `UPDATE ${r.table} SET retired = true WHERE ${which(v)}`
          : `DELETE FROM ${r.table} WHERE ${which(v)}`,
      )
    }
  }

  /** Collects a statement about a table that no verb writes: sent behind what is written, the commit with the last one. */
  follow(table: string, query: Prepared, values: readonly unknown[]): void {
    this.followers.push({ table, query, values })
  }

  /** Asks for columns of a row as what is collected will leave them; `undefined` where nothing is collected that writes it. */
  ask(
    row: PendingWrite | { readonly table: string; readonly id: number },
    columns: readonly string[] = [],
  ): Asked | undefined {
    const step =
      'table' in row ? this.updates.get(`${row.table} ${row.id}`) : this.steps.find((s) => s.answers.includes(row))
    if (!step) return undefined
    const asked: Asked = { columns, found: step.said && foreseen(step.said, step.json, columns) }
    step.asked.push(asked)
    return asked
  }

  /** Gives the next new record an id that was drawn from its table's sequence, so that it is known before it is sent. */
  giveId(r: Resource, id: number): void {
    this.drawn.set(r, [...(this.drawn.get(r) ?? []), id])
  }

  /** Has somebody been told what a change of this record will make of it? Then another change is another statement. */
  isForeseen(r: Resource, id: number): boolean {
    return this.updates.get(keyOf(r, id))?.asked.some(({ found }) => found) ?? false
  }

  /** Sends a statement of its own at once, after what was collected before it: for many rows of a resource's table. */
  private async bulk(r: Resource, sql: Expression): Promise<unknown[][]> {
    const v = new Values()
    const text = sql(v)
    this.touched.add(r.table)
    return this.flushWith(() => this.tx.arrays(prepare(text), v.list))
  }

  private where(r: Resource, id: string, v: Values): string {
    const tenant = r.tenant === 'shared' || r.tenant === 'self' ? '' : `client_id = ${v.next(this.clientId)}::int AND `
    return `${tenant}id = ${id}`
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
        if (!this.stored) throw new Error(`${r.type}: not written yet`)
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

  /** The same transaction, writing the rows of another tenant. */
  inTenant(clientId: number): Work {
    return new Work(this.tx, this.actor, clientId, this.requestId)
  }

  /** Drops what has been collected and not sent. */
  forget(): void {
    this.take()
  }

  /** What has been collected and not sent; from now on it is not collected. */
  private take(): { steps: readonly WriteStatement[]; followers: readonly FollowUpStatement[] } {
    const { steps, followers } = this
    this.steps = []
    this.followers = []
    this.updates = new Map()
    return { steps, followers }
  }

  /** Is something collected that a look into this table would miss? */
  pending(table: string): boolean {
    return [...this.steps, ...this.followers].some((one) => one.table === table)
  }

  /** Sends what has been collected. With `last`, the commit goes with it. */
  async flush(last = false): Promise<void> {
    while (this.sending) await this.sending
    const { steps, followers } = this.take()
    if (!steps.length && !followers.length) return
    const sent =
      steps.length <= PORTION
        ? this.sendPortion(steps, followers, last)
        : this.sendPortions(portionsOf(steps), followers, last)
    // Whoever wants something sent meanwhile waits for all of it: what they have collected may be on its way already.
    this.sending = sent.finally(() => {
      this.sending = undefined
    })
    await this.sending
  }

  /** Sends what has been collected, and `next` right behind it: on a server's database one journey, if it is one portion. */
  async flushWith<T>(next: () => Promise<T>): Promise<T> {
    while (this.sending) await this.sending
    if (this.steps.length > PORTION) await this.flush()
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

  /** Sends statements and what follows them; on a server's database they are one journey. */
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
    const { query, values, read } = compose(this, steps)
    const [row = []] = last ? await this.tx.commitWith(query, values) : await this.tx.arrays(query, values)
    read(row)
    for (const { table } of steps) this.touched.add(table)
  }
}

/** A list in parts that one statement takes each. */
const portionsOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / PORTION) }, (_, n) => all.slice(n * PORTION, (n + 1) * PORTION))

/** The columns of a row that are written: without what links it to its record. */
const ownColumns = (r: Resource, by: string): string[] =>
  Object.entries(r.columns).flatMap(([name, column]) => (name === by || r.fields[name]?.readonly ? [] : [column]))

/** What nobody says is left to the table. */
const withoutUnsaid = (values: Given): Given =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const keyOf = (r: Resource, id: number) => `${r.table} ${id}`
