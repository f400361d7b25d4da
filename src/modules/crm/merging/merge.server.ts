import { createHash } from 'node:crypto'
import { can } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { addLondonTime } from '#kernel/time.ts'
import type { Behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { contact } from '../contacts/contact.ts'
import { describeChanges } from '../contacts/edit-note.server.ts'
import { noteOnContact } from '../contacts/note.server.ts'
import { note } from '../contacts/note.ts'
import { leadHolderOf } from '../contacts/queue.server.ts'
import { decideDuplicatePair } from '../duplicates/pair.server.ts'
import { duplicatePair } from '../duplicates/pair.ts'
import { RESULT_EDITED } from '../outcomes/decide.ts'
import { type leadMerge, MERGE_UNDO_DAYS } from './lead-merge.ts'
import { moveLeadRows } from './move.server.ts'
import { isMergeChoice, mergedLeadValues } from './values.ts'

export type LeadRow = RowOf<typeof contact>

const PASSING = new Set(['leaseUser', 'leaseUntil', 'skipUsers', 'skipUntil', 'others'])

/** Fingerprint of two leads, changed by any edit. A lease is not an edit. */
export const mergeFingerprint = (one: LeadRow, other: LeadRow): string => {
  const said = [one, other]
    .toSorted((a, b) => a.id - b.id)
    .map((lead) =>
      Object.entries(lead)
        .filter(([name]) => !PASSING.has(name))
        .toSorted(),
    )
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)
}

export const mergedLeadName = (lead: LeadRow): string =>
  lead.companyName?.trim() || lead.name?.trim() || lead.phone || `Lead ${lead.id}`

/** Reason why two leads can't be merged, or `undefined`. */
export function mergeObstacle(survivor: LeadRow, other: LeadRow): string | undefined {
  if (survivor.id === other.id) return 'A lead can’t be merged into itself.'
  const gone = [survivor, other].find((lead) => lead.mergedInto !== null)
  if (gone) return `${mergedLeadName(gone)} (lead ${gone.id}) has already been merged into another lead.`
  if (survivor.retired) return `${mergedLeadName(survivor)} (lead ${survivor.id}) is retired. Restore it first.`
  if (survivor.customer !== null && other.customer !== null)
    return 'Both leads are billing customers with invoices of their own, so they can’t be merged.'
  if (survivor.client !== null && other.client !== null && survivor.client !== other.client)
    return 'The leads belong to two different clients of the portal, so they can’t be merged.'
  return undefined
}

const OUTCOME_SECONDS = 60

async function mustBeFree(c: Context, leads: readonly LeadRow[]): Promise<void> {
  for (const lead of leads) {
    if (!can(c.actor, 'update', contact, lead)) throw problem.forbidden('You can view this, but not change it.')
    if (lead.leaseUser === c.actor.userId) continue
    const holder = await leadHolderOf(c, lead)
    if (holder)
      throw problem.conflict(`${holder} is working ${mergedLeadName(lead)} at the moment. Nothing was saved.`, 'held')
  }
}

/**
 * Merges two leads as previewed, in the transaction that records the merge. Throws 409 if they have changed since the
 * preview.
 */
export const mergeLeads: NonNullable<Behaviour<typeof leadMerge>['beforeSave']> = async (c) => {
  const { values } = c
  // Missing values are refused with the other violations.
  if (c.before || !values.survivor || !values.merged || !values.fingerprint) return undefined
  const take = (values.take ?? []).filter(isMergeChoice)
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
  const why = mergeObstacle(row, other)
  if (why) throw problem.conflict(why)
  await mustBeFree(c, [row, other])
  if (mergeFingerprint(row, other) !== values.fingerprint)
    throw problem.conflict(
      'One of the two leads has changed since the preview. Nothing was saved. Please check again.',
      'changed_meanwhile',
    )
  await mustHaveRested(c, other)
  const set = mergedLeadValues(row, other, take)
  const before = Object.fromEntries(Object.keys(set).map((name) => [name, row[name as keyof LeadRow]]))
  const moved = await moveLeadRows(c, other.id, row.id)
  const gone = { retired: true, mergedInto: row.id, customer: null, client: null, leaseUser: null, leaseUntil: null }
  await c.set(contact, other, gone, 'merge')
  await c.set(contact, row, set, 'merge')
  await decideDuplicatePair(c, row.id, other.id, 'merged')
  await forgetSuspects(c, other.id)
  const lines = await describeChanges(c, contact.fields, row, set)
  await noteOnContact(c, row.id, {
    notes: [`Merged with ${mergedLeadName(other)} (lead ${other.id})`, ...lines].join('\n'),
    lastResult: RESULT_EDITED,
  })
  return {
    author: c.actor.kind ? null : c.actor.userId,
    until: addLondonTime(c.now, { days: MERGE_UNDO_DAYS }).toString(),
    kept: {
      before,
      after: set,
      other: { retired: other.retired, customer: other.customer, client: other.client },
      moved,
    },
  }
}

/** A call of the last minute can still be undone, which would write the other lead's values to the survivor. */
async function mustHaveRested(c: Context, other: LeadRow): Promise<void> {
  const notes = await c.find(note, { contact: other.id, retired: false })
  const since = c.now.subtract({ seconds: OUTCOME_SECONDS }).epochMilliseconds
  if (notes.some((n) => n.before !== null && Date.parse(n.timestamp) > since))
    throw problem.conflict(
      'A call with the other lead ended within the last minute. Please wait until it can no longer be undone.',
    )
}

/** Deletes suspicions about a merged lead; a search finds them again if the merge is undone. */
async function forgetSuspects(c: Context, lead: number): Promise<void> {
  await c.work.flush()
  await c.work.tx.rows(
    `DELETE FROM ${duplicatePair.table} WHERE client_id = $1 AND state = 'suspect' AND $2::bigint IN (first_id, second_id)`,
    [c.clientId, lead],
  )
  c.work.touched.add(duplicatePair.table)
}
