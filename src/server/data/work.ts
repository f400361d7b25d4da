import { scopeOf } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, author } from '#kernel/roles.ts'
import type { Conn, Tx } from '#server/db/db.ts'
import type { Reference } from './input.ts'
import { asRecord, bound, defaultsOf, planFor, type Row, toDb } from './plan.ts'
import { prepare, Values, wall } from './queries.ts'
import type { RowsChange } from './rows.ts'

/** A write that is decided but not yet sent; its row is known after the flush. */
export interface Written {
  readonly resource: Resource
  /** The stored row: select-list values in the plan's order. */
  stored?: readonly unknown[]
  row(): Row
}

interface Step extends Written {
  sql: (v: Values, k: number) => string
  audit: (v: Values, k: number) => string
  touched: string
}

/** A statement of its own beside the steps: many rows at once. */
type Bulk = (v: Values) => string

/**
 * The writes of one request. They are collected and sent as one statement, each with its audit row, so that they happen
 * together or not at all, in one journey to the database.
 */
export class Work {
  private steps: Step[] = []
  private bulk: Bulk[] = []
  readonly touched = new Set<string>()
  readonly tx: Tx
  readonly actor: Actor
  /** The tenant whose rows this transaction may write. */
  readonly clientId: number
  private readonly requestId: string
  constructor(tx: Tx, actor: Actor, clientId: number, requestId: string) {
    this.tx = tx
    this.actor = actor
    this.clientId = clientId
    this.requestId = requestId
  }

  /** Inserts a record; values by field name, relations as ids. */
  create(r: Resource, values: Readonly<Record<string, unknown>>): Written {
    const given = { ...defaultsOf(r), ...values }
    return this.add(r, 'create', values, (v, k) => {
      const names = Object.keys(given).filter((n) => r.columns[n] && given[n] !== undefined)
      const columns = names.map((n) => r.columns[n])
      const bindings = names.map((n) => bindField(v, r, n, given[n]))
      for (const [column, held] of within(r, given)) {
        columns.push(column)
        bindings.push(`${v.next(JSON.stringify(held))}::jsonb`)
      }
      for (const [column, value] of Object.entries(r.only ?? {})) {
        columns.push(column)
        bindings.push(`'${value}'`)
      }
      if (r.tenant !== 'shared' && r.tenant !== 'self') {
        columns.unshift('client_id')
        bindings.unshift(`${v.next(this.clientId)}::int`)
      }
      return columns.length
        ? `w${k} AS (INSERT INTO ${r.table} (${columns.join(', ')}) VALUES (${bindings.join(', ')}) RETURNING *)`
        : `w${k} AS (INSERT INTO ${r.table} DEFAULT VALUES RETURNING *)`
    })
  }

  /** Changes some fields of a record that this transaction holds. */
  update(
    r: Resource,
    before: Row,
    changes: Readonly<Record<string, unknown>>,
    verb = 'update',
    rows: Readonly<Record<string, unknown>> = {},
  ): Written {
    const names = Object.keys(changes).filter((n) => r.columns[n])
    const inside = within(r, changes)
    // Bookkeeping that nobody sees is no change to tell of.
    const diff = Object.fromEntries(
      [...names, ...inside.flatMap(([, held]) => Object.keys(held))]
        .filter((n) => !r.fields[n]?.writeOnly && r.fields[n]?.visible !== 'nobody')
        .map((n): [string, unknown] => [n, [before[n] ?? null, changes[n] ?? null]])
        .concat(Object.entries(rows)),
    )
    return this.add(r, verb, diff, (v, k) => {
      const sets = names.map((n) => `${r.columns[n]} = ${bindField(v, r, n, changes[n])}`)
      for (const [column, held] of inside) sets.push(`${column} = ${column} || ${v.next(JSON.stringify(held))}::jsonb`)
      return `w${k} AS (UPDATE ${r.table} SET ${sets.join(', ')} WHERE ${this.key(r, before, v)} RETURNING *)`
    })
  }

  remove(r: Resource, before: Row): Written {
    return this.add(
      r,
      'delete',
      before,
      (v, k) => `w${k} AS (DELETE FROM ${r.table} WHERE ${this.key(r, before, v)} RETURNING *)`,
    )
  }

  /** The rows of a record that this transaction holds: added, changed, and retired or removed, each in one statement. */
  rows({ target: r, by, added, changed, removed }: RowsChange, parentId: number): void {
    const tenant = (v: Values) => `${v.next(this.clientId)}::int`
    const columns = Object.values(r.columns).filter((c) => c !== r.columns[by])
    const writable = Object.keys(r.columns)
      .filter((n) => n !== by && !r.fields[n]?.readonly)
      .map((n) => r.columns[n] as string)
    const records = (rows: readonly Readonly<Record<string, unknown>>[]) =>
      JSON.stringify(rows.map((row) => ({ id: row.id, ...asRecord(r, row) })))
    if (added.length) {
      const given = columns.filter((c) => writable.includes(c))
      this.bulk.push(
        (v) =>
          `INSERT INTO ${r.table} (client_id, ${r.columns[by]}, ${given.join(', ')}) SELECT ${tenant(v)}, ${v.next(parentId)}::bigint, ${given.map((c) => `n.${c}`).join(', ')} FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(records(added))}::jsonb) WITH ORDINALITY AS n ORDER BY ordinality`,
      )
    }
    if (changed.length)
      this.bulk.push(
        (v) =>
          `UPDATE ${r.table} t SET ${writable.map((c) => `${c} = n.${c}`).join(', ')} FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(records(changed.map((c) => c.values)))}::jsonb) n WHERE t.client_id = ${tenant(v)} AND t.id = n.id AND t.${r.columns[by]} = ${v.next(parentId)}::bigint`,
      )
    if (removed.length) {
      const which = (v: Values) =>
        `client_id = ${tenant(v)} AND id = ANY(${v.next(removed.map((row) => row.id))}::bigint[])`
      this.bulk.push((v) =>
        r.columns.retired
          ? `UPDATE ${r.table} SET retired = true WHERE ${which(v)}`
          : `DELETE FROM ${r.table} WHERE ${which(v)}`,
      )
    }
    if (added.length + changed.length + removed.length) this.touched.add(r.table)
  }

  private key(r: Resource, row: Row, v: Values): string {
    const tenant = r.tenant === 'shared' || r.tenant === 'self' ? '' : `client_id = ${v.next(this.clientId)}::int AND `
    return `${tenant}id = ${v.next(row.id)}::bigint`
  }

  private add(r: Resource, verb: string, changes: unknown, sql: Step['sql']): Written {
    const who = author(this.actor)
    const as = this.actor.original ? this.actor : undefined
    const step: Step = {
      resource: r,
      touched: r.table,
      sql,
      audit: (v, k) =>
        `a${k} AS (INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username, as_user_id, as_username, request_id) SELECT ${v.next(this.clientId)}::int, ${v.next(r.type)}::text, w${k}.id, ${v.next(verb)}::text, ${v.next(JSON.stringify(changes))}::jsonb, ${v.next(who.userId)}::bigint, ${v.next(who.username)}::text, ${v.next(as?.userId ?? null)}::bigint, ${v.next(as?.username ?? null)}::text, ${v.next(this.requestId)}::text FROM w${k})`,
      row() {
        if (!this.stored) throw new Error(`${r.type}: not written yet`)
        return planFor(r).row(this.stored)
      },
    }
    this.steps.push(step)
    return step
  }

  /** Sends what has been collected. With `last`, the commit goes with it. */
  async flush(last = false): Promise<void> {
    const { steps, bulk } = this
    this.steps = []
    this.bulk = []
    for (const sql of bulk) {
      const v = new Values()
      await this.tx.arrays(prepare(sql(v)), v.list)
    }
    if (!steps.length) return
    const v = new Values()
    const parts = steps.flatMap((s, k) => [s.sql(v, k), s.audit(v, k)])
    const answers = steps.map((s, k) => {
      const plan = planFor(s.resource)
      return `(SELECT json_build_array(${plan.select}) FROM w${k} t${plan.joins})`
    })
    const query = prepare(`WITH ${parts.join(', ')} SELECT ${answers.join(', ')}`)
    const [row] = last ? await this.tx.commitWith(query, v.list) : await this.tx.arrays(query, v.list)
    steps.forEach((s, k) => {
      const stored = row?.[k]
      if (!stored) throw problem.notFound()
      s.stored = stored as unknown[]
      this.touched.add(s.touched)
    })
  }

  /** A thing to do outside the database once this is committed. */
  async after(kind: string, payload: unknown): Promise<void> {
    await this.tx.rows('INSERT INTO outbox (client_id, kind, payload) VALUES ($1, $2, $3)', [
      this.clientId,
      kind,
      JSON.stringify(payload),
    ])
    this.touched.add('outbox')
  }
}

/** Values that live inside a jsonb column, by column. */
function within(r: Resource, values: Readonly<Record<string, unknown>>): [string, Record<string, unknown>][] {
  const held = new Map<string, Record<string, unknown>>()
  for (const [name, value] of Object.entries(values)) {
    const column = r.fields[name]?.within
    if (!column || value === undefined) continue
    held.set(column, { ...held.get(column), [name]: value })
  }
  return [...held]
}

const bindField = (v: Values, r: Resource, name: string, value: unknown) => {
  const f = r.fields[name] as Field
  return bound(f, Number(v.next(toDb(f, value ?? null)).slice(1)))
}

/**
 * Will the foreign key itself refuse what the actor can't reach? It can, where the target is shared, or of the actor's own
 * tenant and open to them as a whole: a test holds every relation to having one.
 */
const keyed = (actor: Actor | undefined, { target, id }: Reference): boolean => {
  const scope = scopeOf(actor, 'read', target)
  return (
    id !== undefined &&
    !scope.mine &&
    !target.only &&
    (target.tenant === 'shared' ? scope.tenants !== 'none' : scope.tenants === 'own' && target.tenant === 'own')
  )
}

/** Finds the records that a body refers to, within the actor's reach. An unreachable one counts as unknown: 400. */
export async function resolve(
  conn: Conn,
  actor: Actor | undefined,
  references: readonly Reference[],
): Promise<Record<string, number>> {
  const known = Object.fromEntries(
    references.flatMap((ref) => (keyed(actor, ref) ? [[ref.field, ref.id as number]] : [])),
  )
  const sought = references.filter((ref) => !(ref.field in known))
  if (!sought.length) return known
  const v = new Values()
  const parts = sought.map(({ target, id, alias }) => {
    const reach = wall(target, scopeOf(actor, 'read', target), actor, v)
    if (reach === undefined) return 'NULL::bigint'
    const key =
      id === undefined
        ? `lower(t.${target.columns[target.alias as string]}) = lower(${v.next(alias)}::text)`
        : `t.id = ${v.next(id)}::bigint`
    return `(SELECT t.id FROM ${target.table} t WHERE ${reach} AND ${key} LIMIT 1)`
  })
  const [row = []] = await conn.arrays(prepare(`SELECT ${parts.join(', ')}`), v.list)
  sought.forEach((ref, i) => {
    if (row[i] === null || row[i] === undefined) throw problem.unknownTarget(ref.given)
    known[ref.field] = Number(row[i])
  })
  return known
}

/**
 * The ids that many references stand for, each target asked once; unreachable ones count as unknown: 400. All is asked before
 * the first answer: a transaction that begins meanwhile may wait for them, and has the embedded database to itself.
 */
export async function resolveMany(
  conn: Conn,
  actor: Actor | undefined,
  references: readonly Reference[],
): Promise<ReadonlyMap<Reference, number>> {
  const found = new Map<Reference, number>()
  const numbered = Map.groupBy(
    references.filter((ref) => ref.id !== undefined),
    (ref) => ref.target,
  )
  const byNumber = [...numbered].map(async ([target, refs]) => {
    const v = new Values()
    const reach = wall(target, scopeOf(actor, 'read', target), actor, v)
    const ids = [...new Set(refs.map((ref) => ref.id as number))]
    const rows = reach
      ? await conn.arrays(
          prepare(`SELECT t.id FROM ${target.table} t WHERE ${reach} AND t.id = ANY(${v.next(ids)}::bigint[])`),
          v.list,
        )
      : []
    const known = new Set(rows.map(([id]) => Number(id)))
    for (const ref of refs) {
      if (!known.has(ref.id as number)) throw problem.unknownTarget(ref.given)
      found.set(ref, ref.id as number)
    }
  })
  const byAlias = references
    .filter((ref) => ref.id === undefined)
    .map(async (ref) => found.set(ref, (await resolve(conn, actor, [ref]))[ref.field] as number))
  await Promise.all([...byNumber, ...byAlias])
  return found
}
