import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { contact } from '../contacts/contact.ts'
import { noteOnContact } from '../contacts/note.server.ts'
import { isDoNotCallLead } from '../do-not-call/objection.server.ts'
import { decideDuplicatePair } from '../duplicates/pair.server.ts'
import { RESULT_EDITED } from '../outcomes/decide.ts'
import { leadMerge, MERGE_UNDO_DAYS } from './lead-merge.ts'
import { type LeadRow, mergedLeadName, mergeLeads } from './merge.server.ts'
import { moveLeadRowsBack } from './move.server.ts'
import { mergePreviewRoute } from './preview.server.ts'

const VALUES = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
const KEPT = z.object({
  before: VALUES,
  after: VALUES,
  other: z.object({ retired: z.boolean(), customer: z.int().nullable(), client: z.int().nullable() }),
  moved: z.array(z.object({ table: z.string(), column: z.string(), ids: z.array(z.int()) })),
})
type Kept = z.output<typeof KEPT>

const leadMergeBehaviour = behaviour(leadMerge, {
  beforeSave: mergeLeads,
  actions: {
    /** Moves back exactly what was moved. Later records remain with the survivor. */
    undo: async (c) => {
      const { row } = c
      if (Date.parse(row.until) < c.now.epochMilliseconds)
        throw problem.conflict(`A merge can be undone for ${MERGE_UNDO_DAYS} days, which have passed.`)
      const kept = KEPT.parse(row.kept)
      const survivor = await c.lock(contact, row.survivor)
      const merged = await c.lock(contact, row.merged)
      await mustBeWhole(c, row, survivor, kept)
      await c.set(contact, merged, { ...kept.other, mergedInto: null }, 'unmerge')
      const gone = await moveLeadRowsBack(c, kept.moved, survivor.id, merged.id)
      if (gone.length)
        throw problem.conflict(
          `Some of the ${gone.join(', ')} that came with the merge no longer belong to this lead, so the merge can’t be undone completely.`,
        )
      await c.set(contact, survivor, valuesBack(survivor, kept), 'unmerge')
      // A lead with a number now on the do-not-call list remains marked.
      if (kept.before.doNotCall === false && (await isDoNotCallLead(c, survivor.id)))
        await c.set(contact, await c.lock(contact, survivor.id), { doNotCall: true }, 'unmerge')
      await decideDuplicatePair(c, survivor.id, merged.id, 'suspect')
      const tell = (lead: LeadRow, other: LeadRow) =>
        noteOnContact(c, lead.id, {
          notes: `The merge with ${mergedLeadName(other)} (lead ${other.id}) was undone`,
          lastResult: RESULT_EDITED,
        })
      await tell(survivor, merged)
      await tell(merged, survivor)
      return { set: { undoneAt: c.now.toString(), undoneBy: author(c.actor).username } }
    },
  },
})

async function mustBeWhole(
  c: Context,
  row: { readonly id: number },
  survivor: LeadRow,
  { after }: Kept,
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

/** Restores values changed by the merge, except those changed since. */
function valuesBack(survivor: LeadRow, { before, after }: Kept): ValuesOf<typeof contact> {
  const now: Readonly<Record<string, unknown>> = { ...survivor }
  const back = Object.fromEntries(Object.entries(before).filter(([name]) => now[name] === after[name]))
  const outcomes = Number(before.outcomes ?? 0) - Number(after.outcomes ?? 0)
  return { ...back, ...(outcomes ? { outcomes: survivor.outcomes + outcomes } : {}) }
}

export const merging = feature({
  resources: [leadMerge],
  behaviours: [leadMergeBehaviour],
  routes: [mergePreviewRoute],
})
