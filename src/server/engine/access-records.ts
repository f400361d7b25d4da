import { AsyncLocalStorage } from 'node:async_hooks'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { writeAuditTrace } from '#server/data/writing/audit-trace.ts'
import { bind } from '#server/db/db.ts'
import { readInside } from '#server/db/inside.ts'
import { confidentialIn } from './field-access.ts'
import { registryOf } from './registry.ts'
import type { Context, Engine } from './types.ts'
import { contextOf } from './unit-of-work.ts'

/** A record that somebody is about to see; `sent` is what they see of it, where it may hold something confidential. */
interface Access {
  readonly clientId: number
  readonly id: number
  readonly sent?: ApiRecord
}

interface AccessRecord {
  readonly clientId: number
  readonly write: (c: Context) => Promise<void>
}

const collected = new AsyncLocalStorage<AccessRecord[]>()

/**
 * Records in the tenant that somebody sees confidential fields, or, being of the provider, a client's record as a whole. What is read in
 * a transaction is recorded by that transaction, anything else before it is sent.
 */
export async function recordAccess(
  engine: Engine,
  r: Resource,
  actor: Actor,
  { clientId, id, sent }: Access,
): Promise<void> {
  const fields = sent ? confidentialIn(r, sent) : []
  const isProviders = !actor.kind && actor.clientId === PROVIDER && clientId !== PROVIDER
  const onRead = isProviders ? registryOf(engine).behaviours.get(r)?.onRead : undefined
  if (!fields.length && !onRead) return
  const trace = { clientId, type: r.type, rowId: id, verb: 'look', changes: { fields } }
  const write = async (c: Context) => {
    if (fields.length) await writeAuditTrace(c.work.tx, actor, trace)
    await onRead?.(c, id)
  }
  const records = collected.getStore()
  if (records) return void records.push({ clientId, write })
  await engine.inTenant(clientId, { actor, requestId: 'opened' }, async (c) => {
    await write(c)
    return () => undefined
  })
}

/** Makes an answer of what a transaction has written and not yet committed, and writes the access records of reading it. */
export async function answerInside<T>(c: Context, answer: () => T | Promise<T>): Promise<T> {
  const { actor, now, engine, query, work } = c
  const records: AccessRecord[] = []
  const value = await readInside(work.tx, () => collected.run(records, async () => answer()))
  for (const { clientId, write } of records) {
    await work.tx.script(bind({ clientId, userId: actor.userId }))
    const inTenant = work.inTenant(clientId)
    await write(contextOf({ actor, now, clientId, work: inTenant, engine, query }))
    await inTenant.flush()
    for (const table of inTenant.touched) work.touched.add(table)
  }
  return value
}
