import type { Field } from '#kernel/fields.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import type { Context } from '#server/behaviour.ts'
import { compareRows } from '#server/data/rows.ts'
import { nextNumber } from '#server/data/sequences.ts'
import { Work } from '#server/data/work.ts'
import type { Tx } from '#server/db/db.ts'
import { sealCompleted, sealEvent, standing } from '../chain/sealing.server.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import { flagsOf, type State } from '../kinds/states.ts'

/** A document that comes with the portal: a system template, or a part of the demo world. */
export interface Seedling {
  readonly clientId: number
  /** By field name; relations as ids, rows as lists. */
  readonly values: Readonly<Record<string, unknown>>
  readonly state: State
  readonly at: Instant
  readonly actor: Actor
  readonly reviewDue?: string
  readonly parent?: number
}

/** Puts a document where it would be if people had written it: numbered, sealed and in the chain. Answers its id. */
export async function plant(tx: Tx, kind: DocumentKind, s: Seedling): Promise<number> {
  const { clientId, values, state, at, actor, parent } = s
  const r = kind.resource
  const work = new Work(tx, actor, clientId, 'seed')
  // Sealing asks for no more than this of a request.
  const c = { work, actor, now: at, query: {} } as unknown as Context
  const before = parent ? await standing(c, kind, parent) : undefined
  const flat = Object.fromEntries(Object.entries(values).filter(([name]) => !kind.rows.includes(name)))
  const on = at.toString()
  const complete = state !== 'draft'
  const approved = state === 'current' || state === 'replaced'
  if (before?.current && state === 'current') {
    work.update(r, before, flagsOf('replaced', false), 'replace')
    await work.flush()
    await sealEvent(c, 'replaced', before)
  }
  const written = work.create(r, {
    ...flat,
    documentNumber: before?.documentNumber ?? (await nextNumber(c, kind.numbers)).text,
    revision: before ? Number(before.revision) + 1 : 1,
    ...(parent ? { [kind.parent]: parent } : {}),
    author: actor.username,
    createdAt: on,
    updatedAt: on,
    ...flagsOf(state, state === 'rejected'),
    ...(complete ? { completedAt: on, completedBy: actor.username } : {}),
    ...(approved ? { approved: true, approvedAt: on, authorUsername: actor.username } : { approved: false }),
    ...(s.reviewDue ? { reviewDue: s.reviewDue } : {}),
    ...(state === 'rejected' ? { decisionNote: 'The rescue plan is missing.' } : {}),
  })
  await work.flush()
  const { id } = written.row()
  for (const field of kind.rows)
    await work.rows(
      compareRows(field, r.fields[field] as Field, (values[field] as Record<string, unknown>[] | undefined) ?? [], []),
      id,
    )
  await work.flush()
  if (!complete) return id
  await sealCompleted(c, kind, id)
  if (approved || state === 'rejected')
    await sealEvent(c, state === 'rejected' ? 'rejected' : 'approved', await standing(c, kind, id))
  return id
}

/** A typed signature under a planted document, in the chain like any other. */
export async function plantSignature(
  tx: Tx,
  kind: DocumentKind,
  s: { clientId: number; documentId: number; name: string; actor: Actor; at: Instant },
): Promise<void> {
  const work = new Work(tx, s.actor, s.clientId, 'seed')
  const c = { work, actor: s.actor, now: s.at, query: {} } as unknown as Context
  const row = await standing(c, kind, s.documentId)
  await tx.rows(
    "INSERT INTO signature (client_id, document_id, name, method, author, seal, signed_at) VALUES ($1, $2, $3, 'typed', $4, $5, $6)",
    [s.clientId, s.documentId, s.name, s.actor.username, row.seal, s.at.toString()],
  )
  await tx.rows('UPDATE document SET signature_count = signature_count + 1 WHERE client_id = $1 AND id = $2', [
    s.clientId,
    s.documentId,
  ])
  await sealEvent(c, 'signed', row, { name: s.name, method: 'typed', author: s.actor.username })
}
