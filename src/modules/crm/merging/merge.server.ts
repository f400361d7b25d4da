import { createHash } from 'node:crypto'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { addInLondonTime } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { ResourceBehaviour } from '#server/engine/behaviour.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { describeFieldChanges } from '../contacts/contact.server.ts'
import { contact, note } from '../contacts/contact.ts'
import { addNoteToContact } from '../contacts/note.server.ts'
import { findLeaseholderName } from '../contacts/queue.server.ts'
import { isDoNotCallLead } from '../do-not-call/do-not-call.server.ts'
import { duplicatePair } from '../duplicates/pair.ts'
import { decideDuplicatePair } from '../duplicates/routes.server.ts'
import { EDITED_RESULT_CODE } from '../outcomes/decide.ts'
import { contactPerson, formatPersonName } from '../people/person.ts'
import { findLeadRelations, type LeadRelation, leadMerge, MERGE_UNDO_DAYS } from './relations.ts'
import {
  buildMergedLeadValues,
  diffLeadFields,
  findMergeObstacle,
  findPeopleLeftByMerge,
  isMergeChoiceField,
  type LeftPerson,
  mergedLeadName,
  proposeFieldsFromOtherLead,
  proposeMergeSurvivor,
} from './values.ts'

/** Rows in a relation that a merge has moved. */
interface MovedRows {
  readonly table: string
  readonly column: string
  readonly ids: readonly number[]
}

/** Disables the do-not-call triggers during a merge, because opt-outs are moved together with their rows. */
async function quietly(c: Context): Promise<void> {
  await c.work.tx.rows("SELECT set_config('crm.merging', 'on', true)")
  await c.work.flush()
}

const named = (by: LeadRelation['by'], id: number) => (by === 'id' ? id : iriOf(contact, id))
const typeOf = (by: LeadRelation['by']) => (by === 'id' ? 'bigint' : 'text')

/**
 * Moves the other lead's rows to the survivor, with one statement per relation. If the survivor can have only one row
 * in a relation and already has one, the other lead's row is not moved.
 */
async function moveLeadRows(c: Context, from: number, to: number): Promise<MovedRows[]> {
  await quietly(c)
  const moved: MovedRows[] = []
  for (const { table, column, by, oneEach } of findLeadRelations(c.engine.resources)) {
    const alone = oneEach
      ? ` AND NOT EXISTS (SELECT 1 FROM ${table} o WHERE o.client_id = $1 AND o.${column} = $3::${typeOf(by)})`
      : ''
    const rows = await c.work.tx.rows<{ id: number }>(
      `UPDATE ${table} SET ${column} = $3::${typeOf(by)} WHERE client_id = $1 AND ${column} = $2::${typeOf(by)}${alone} RETURNING id`,
      [c.clientId, named(by, from), named(by, to)],
    )
    if (!rows.length) continue
    moved.push({ table, column, ids: rows.map((r) => r.id) })
    for (const { id } of rows) c.work.saved.note({ table }, Number(id))
    c.work.touched.add(table)
  }
  return moved
}

/**
 * Moves back exactly the rows that the merge moved. Returns the labels of relations whose rows have since been moved
 * elsewhere.
 */
async function moveLeadRowsBack(c: Context, moved: readonly MovedRows[], from: number, to: number): Promise<string[]> {
  await quietly(c)
  const relations = findLeadRelations(c.engine.resources)
  const gone: string[] = []
  for (const { table, column, ids } of moved) {
    const known = relations.find((r) => r.table === table && r.column === column)
    if (!known) {
      gone.push(table)
      continue
    }
    const type = typeOf(known.by)
    const rows = await c.work.tx.rows<{ id: number }>(
      `UPDATE ${table} SET ${column} = $4::${type} WHERE client_id = $1 AND id = ANY($2::bigint[]) AND ${column} = $3::${type} RETURNING id`,
      [c.clientId, ids, named(known.by, from), named(known.by, to)],
    )
    if (rows.length !== ids.length) gone.push(known.words)
    for (const { id } of rows) c.work.saved.note({ table }, Number(id))
    c.work.touched.add(table)
  }
  return gone
}

/** Returns the number of rows in each of a lead's relations. Empty relations are omitted. */
async function countLeadRows(
  rows: (text: string, values: readonly unknown[]) => Promise<{ n: number }[]>,
  relations: readonly LeadRelation[],
  clientId: number,
  lead: number,
): Promise<{ what: string; count: number }[]> {
  const text = relations
    .map(({ table, column, by }) => {
      const is = by === 'id' ? '$2::bigint' : '$3::text'
      return `SELECT count(*)::int AS n FROM ${table} WHERE client_id = $1 AND ${column} = ${is}`
    })
    .join(' UNION ALL ')
  const counted = await rows(text, [clientId, lead, iriOf(contact, lead)])
  return relations.flatMap(({ words }, k) => {
    const count = counted[k]?.n ?? 0
    return count ? [{ what: words, count }] : []
  })
}

export type LeadRow = RowOf<typeof contact>

const PASSING = new Set(['leaseUser', 'leaseUntil', 'skipUsers', 'skipUntil', 'others'])

/**
 * Returns a fingerprint of two leads. The fingerprint changes when either lead is edited, but not when a lease changes.
 */
const mergeFingerprint = (one: LeadRow, other: LeadRow): string => {
  const said = [one, other]
    .toSorted((a, b) => a.id - b.id)
    .map((lead) =>
      Object.entries(lead)
        .filter(([name]) => !PASSING.has(name))
        .toSorted(),
    )
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)
}

const OUTCOME_SECONDS = 60

async function mustBeFree(c: Context, leads: readonly LeadRow[]): Promise<void> {
  for (const lead of leads) {
    if (!can(c.actor, 'update', contact, lead))
      throw problem.forbidden('You can view one of these leads, but not change it.')
    if (lead.leaseUser === c.actor.userId) continue
    const holder = await findLeaseholderName(c, lead)
    if (holder)
      throw problem.conflict(`${holder} is working ${mergedLeadName(lead)} at the moment. Nothing was saved.`, 'held')
  }
}

/**
 * Merges two leads as shown in the preview, in the transaction that records the merge. Throws 409 if the leads have
 * changed since the preview.
 */
const mergeLeads: NonNullable<ResourceBehaviour<typeof leadMerge>['beforeSave']> = async (c) => {
  const { values } = c
  // Skips the merge if values are missing, because validation reports them together with any other errors.
  if (c.before || !values.survivor || !values.merged || !values.fingerprint) return undefined
  const take = (values.take ?? []).filter(isMergeChoiceField)
  if (take.length !== values.take?.length)
    throw problem.invalid([violation('take', 'Only fields in the preview can be taken from the other lead')])
  if (values.survivor === values.merged) throw problem.conflict('A lead can’t be merged into itself.')
  const leads = await c.lockAll(contact, { id: [values.survivor, values.merged] })
  const named = (id: number) => {
    const found = leads.find((lead) => lead.id === id)
    if (!found) throw problem.unknownTarget(iriOf(contact, id))
    return found
  }
  const [row, other] = [named(values.survivor), named(values.merged)]
  const why = findMergeObstacle(row, other)
  if (why) throw problem.conflict(why)
  await mustBeFree(c, [row, other])
  if (mergeFingerprint(row, other) !== values.fingerprint)
    throw problem.conflict(
      'One of the two leads has changed since the preview. Nothing was saved. Please check the preview again.',
      'changed_meanwhile',
    )
  await mustHaveRested(c, other)
  const set = buildMergedLeadValues(row, other, take)
  const before = Object.fromEntries(Object.keys(set).map((name) => [name, row[name as keyof LeadRow]]))
  const moved = await moveLeadRows(c, other.id, row.id)
  const people = await addLeftPeople(c, row, other, set)
  const gone = { retired: true, mergedInto: row.id, customer: null, client: null, leaseUser: null, leaseUntil: null }
  await c.set(contact, other, gone, 'merge')
  await c.set(contact, row, set, 'merge')
  await decideDuplicatePair(c, row.id, other.id, 'merged')
  await forgetSuspects(c, other.id)
  const lines = [
    ...(await describeFieldChanges(c, contact.fields, row, set)),
    ...people.map((person) => `Now among the other people: ${formatPersonName(person)}`),
  ]
  await addNoteToContact(c, row.id, {
    notes: [`Merged with ${mergedLeadName(other)} (lead ${other.id})`, ...lines].join('\n'),
    lastResult: EDITED_RESULT_CODE,
  })
  return {
    author: c.actor.kind ? null : c.actor.userId,
    until: addInLondonTime(c.now, { days: MERGE_UNDO_DAYS }).toString(),
    kept: {
      before,
      after: set,
      other: { retired: other.retired, customer: other.customer, client: other.client },
      moved,
      people,
    },
  }
}

/** Adds contact persons who would be lost in the merge to the survivor's other people. Returns them with IDs. */
async function addLeftPeople(c: Context, survivor: LeadRow, other: LeadRow, set: Partial<LeadRow>) {
  await c.work.flush()
  const here = await c.find(contactPerson, { contact: survivor.id, retired: false })
  const author = authorOf(c.actor).username
  const added: (LeftPerson & { id: number })[] = []
  for (const person of findPeopleLeftByMerge([survivor, other], { ...survivor, ...set }, here)) {
    const made = await c.work.create(contactPerson, { ...person, contact: survivor.id, author }).saved()
    added.push({ ...person, id: made.id })
  }
  return added
}

/** Removes the people that a merge added, except those who have been changed or retired since. */
async function removeLeftPeople(c: Context, survivor: number, people: StoredMerge['people']): Promise<void> {
  const rows = people.length ? await c.lockAll(contactPerson, { id: people.map(({ id }) => id) }) : []
  for (const { id, ...person } of people) {
    const row = rows.find((one) => one.id === id)
    const isSame = Object.entries(person).every(([name, value]) => row?.[name as keyof LeftPerson] === value)
    if (row && isSame && !row.retired && !row.left && row.contact === survivor) c.work.remove(contactPerson, row)
  }
  await c.work.flush()
}

/**
 * Throws 409 if the other lead was called within the last minute. The call can still be undone, and the undo would
 * write the other lead's values to the survivor.
 */
async function mustHaveRested(c: Context, other: LeadRow): Promise<void> {
  const notes = await c.find(note, { contact: other.id, retired: false })
  const since = c.now.subtract({ seconds: OUTCOME_SECONDS }).epochMilliseconds
  if (notes.some((n) => n.before !== null && Date.parse(n.timestamp) > since))
    throw problem.conflict(
      'A call with the other lead ended within the last minute. Please wait until the outcome of that call can no longer be undone.',
    )
}

/**
 * Deletes undecided pairs of possible duplicates that include a merged lead. If the merge is undone, a search finds the
 * pairs again.
 */
async function forgetSuspects(c: Context, lead: number): Promise<void> {
  await c.work.flush()
  await c.work.tx.rows(
    `DELETE FROM ${duplicatePair.table} WHERE client_id = $1 AND state = 'suspect' AND $2::bigint IN (first_id, second_id)`,
    [c.clientId, lead],
  )
  c.work.touched.add(duplicatePair.table)
}

/**
 * Route that returns a preview of a merge: the differing fields, the proposed values, the records to be moved, and the
 * fingerprint that the merge requires.
 */
const mergePreviewRoute: Route = {
  method: 'GET',
  path: `${contact.url}/{id}/merge-preview`,
  title: 'Preview merging another lead into this one',
  allow: 'ROLE_STAFF',
  query: { other: text({ help: 'ID of the lead to be merged into this one.' }) },
  handle: async (c) => {
    const { engine, actor, me } = c
    const ids = [await engine.idOf(contact, actor, c.params.id), parseId(firstQueryValue(c.query.other))]
    for (const id of ids) {
      if (id === undefined) throw problem.notFound()
      await engine.one(contact, actor, id)
    }
    const [survivor, other] = await engine.readIn(me.clientId, 'leads are compared by users who see both', (unit) =>
      Promise.all(ids.map((id) => unit.get(contact, id ?? 0))),
    )
    if (!survivor || !other) throw problem.notFound()
    const refusal = findMergeObstacle(survivor, other) ?? null
    const moves = await engine.db.tx({ clientId: me.clientId }, (tx) =>
      countLeadRows((sql, values) => tx.rows(sql, values), findLeadRelations(engine.resources), me.clientId, other.id),
    )
    return {
      survivor: survivor.id,
      other: other.id,
      stays: proposeMergeSurvivor(survivor, other).id,
      refusal,
      differs: diffLeadFields(survivor, other),
      take: proposeFieldsFromOtherLead(survivor, other),
      moves,
      fingerprint: mergeFingerprint(survivor, other),
    }
  },
}

const VALUES = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
const STORED_MERGE = z.object({
  before: VALUES,
  after: VALUES,
  other: z.object({ retired: z.boolean(), customer: z.int().nullable(), client: z.int().nullable() }),
  moved: z.array(z.object({ table: z.string(), column: z.string(), ids: z.array(z.int()) })),
  people: z
    .array(
      z.object({
        id: z.int(),
        name: z.string().nullable(),
        jobTitle: z.string().nullable(),
        telephone: z.string().nullable(),
        mobile: z.string().nullable(),
        email: z.string().nullable(),
        notes: z.string().nullable(),
      }),
    )
    .default([]),
})
type StoredMerge = z.output<typeof STORED_MERGE>

const leadMergeBehaviour = behaviour(leadMerge, {
  beforeSave: mergeLeads,
  actions: {
    /** Moves back exactly the rows that the merge moved. Records added later remain with the survivor. */
    undo: async (c) => {
      const { row } = c
      if (Date.parse(row.until) < c.now.epochMilliseconds)
        throw problem.conflict(
          `This merge can no longer be undone, because more than ${MERGE_UNDO_DAYS} days have passed.`,
        )
      const kept = STORED_MERGE.parse(row.kept)
      const survivor = await c.lock(contact, row.survivor)
      const merged = await c.lock(contact, row.merged)
      await mustBeWhole(c, row, survivor, kept)
      await removeLeftPeople(c, survivor.id, kept.people)
      await c.set(contact, merged, { ...kept.other, mergedInto: null }, 'unmerge')
      const gone = await moveLeadRowsBack(c, kept.moved, survivor.id, merged.id)
      if (gone.length)
        throw problem.conflict(
          `Some of the ${gone.join(', ')} that came with the merge no longer belong to this lead, so the merge can’t be undone completely.`,
        )
      await c.set(contact, survivor, valuesBack(survivor, kept), 'unmerge')
      // If one of the survivor's numbers is now on the do-not-call list, the survivor remains marked as do not call.
      if (kept.before.doNotCall === false && (await isDoNotCallLead(c, survivor.id)))
        await c.set(contact, await c.lock(contact, survivor.id), { doNotCall: true }, 'unmerge')
      await decideDuplicatePair(c, survivor.id, merged.id, 'suspect')
      const tell = (lead: LeadRow, other: LeadRow) =>
        addNoteToContact(c, lead.id, {
          notes: `The merge with ${mergedLeadName(other)} (lead ${other.id}) was undone`,
          lastResult: EDITED_RESULT_CODE,
        })
      await tell(survivor, merged)
      await tell(merged, survivor)
      return { set: { undoneAt: c.now.toString(), undoneBy: authorOf(c.actor).username } }
    },
  },
})

async function mustBeWhole(
  c: Context,
  row: { readonly id: number },
  survivor: LeadRow,
  { after }: StoredMerge,
): Promise<void> {
  if (survivor.mergedInto !== null)
    throw problem.conflict(
      `${mergedLeadName(survivor)} has since been merged into another lead. Undo that merge first.`,
    )
  const since = await c.find(leadMerge, { survivor: survivor.id, state: 'merged' })
  if (since.some((m) => m.id > row.id))
    throw problem.conflict(
      `Another lead has since been merged into ${mergedLeadName(survivor)}. Undo that merge first.`,
    )
  if (after.customer !== undefined && survivor.customer !== after.customer)
    throw problem.conflict(
      `${mergedLeadName(survivor)} now has another billing customer, so the merge can’t be undone.`,
    )
}

/**
 * Returns the values to restore: those that the merge changed, except for values that have been changed again since.
 */
function valuesBack(survivor: LeadRow, { before, after }: StoredMerge): ValuesOf<typeof contact> {
  const now: Readonly<Record<string, unknown>> = { ...survivor }
  const back = Object.fromEntries(Object.entries(before).filter(([name]) => now[name] === after[name]))
  const outcomes = Number(before.outcomes ?? 0) - Number(after.outcomes ?? 0)
  return { ...back, ...(outcomes ? { outcomes: survivor.outcomes + outcomes } : {}) }
}

export const leadMerging = feature({
  resources: [leadMerge],
  behaviours: [leadMergeBehaviour],
  routes: [mergePreviewRoute],
})
