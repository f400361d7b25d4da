import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { contact } from '../contacts/contact.ts'
import { noteOnContact } from '../contacts/note.server.ts'
import { isBarred } from '../do-not-call/objection.server.ts'
import { decidePair } from '../duplicates/pair.server.ts'
import { EDITED } from '../outcomes/decide.ts'
import { leadMerge, UNDO_DAYS } from './lead-merge.ts'
import { type Lead, mergeLeads, nameOf } from './merge.server.ts'
import { moveBack } from './move.server.ts'
import { mergePreview } from './preview.server.ts'

const VALUES = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
const KEPT = z.object({
  before: VALUES,
  after: VALUES,
  other: z.object({ retired: z.boolean(), customer: z.int().nullable(), client: z.int().nullable() }),
  moved: z.array(z.object({ table: z.string(), column: z.string(), ids: z.array(z.int()) })),
})
type Kept = z.output<typeof KEPT>

const mergeBehaviour = behaviour(leadMerge, {
  beforeSave: mergeLeads,
  actions: {
    /** Moves back exactly what was moved. Later records remain with the survivor. */
    undo: async (c) => {
      const { row } = c
      if (Date.parse(row.until) < c.now.epochMilliseconds)
        throw problem.conflict(`A merge can be undone for ${UNDO_DAYS} days, which have passed.`)
      const kept = KEPT.parse(row.kept)
      const survivor = await c.lock(contact, row.survivor)
      const merged = await c.lock(contact, row.merged)
      await mustBeWhole(c, row, survivor, kept)
      await c.set(contact, merged, { ...kept.other, mergedInto: null }, 'unmerge')
      const gone = await moveBack(c, kept.moved, survivor.id, merged.id)
      if (gone.length)
        throw problem.conflict(
          `Some of the ${gone.join(', ')} that came with the merge no longer belong to this lead, so the merge can’t be undone completely.`,
        )
      await c.set(contact, survivor, valuesBack(survivor, kept), 'unmerge')
      // A lead with a number now on the do-not-call list remains marked.
      if (kept.before.doNotCall === false && (await isBarred(c, survivor.id)))
        await c.set(contact, await c.lock(contact, survivor.id), { doNotCall: true }, 'unmerge')
      await decidePair(c, survivor.id, merged.id, 'suspect')
      const tell = (lead: Lead, other: Lead) =>
        noteOnContact(c, lead.id, {
          notes: `The merge with ${nameOf(other)} (lead ${other.id}) was undone`,
          lastResult: EDITED,
        })
      await tell(survivor, merged)
      await tell(merged, survivor)
      return { set: { undoneAt: c.now.toString(), undoneBy: author(c.actor).username } }
    },
  },
})

async function mustBeWhole(c: Context, row: { readonly id: number }, survivor: Lead, { after }: Kept): Promise<void> {
  if (survivor.mergedInto !== null)
    throw problem.conflict(`${nameOf(survivor)} has since been merged into another lead. Undo that merge first.`)
  const since = await c.find(leadMerge, { survivor: survivor.id, state: 'merged' })
  if (since.some((m) => m.id > row.id))
    throw problem.conflict(`Another lead has since been merged into ${nameOf(survivor)}. Undo that merge first.`)
  if (after.customer !== undefined && survivor.customer !== after.customer)
    throw problem.conflict(`${nameOf(survivor)} now has another billing customer, so the merge can’t be undone.`)
}

/** Restores values changed by the merge, except those changed since. */
function valuesBack(survivor: Lead, { before, after }: Kept): ValuesOf<typeof contact> {
  const now: Readonly<Record<string, unknown>> = { ...survivor }
  const back = Object.fromEntries(Object.entries(before).filter(([name]) => now[name] === after[name]))
  const outcomes = Number(before.outcomes ?? 0) - Number(after.outcomes ?? 0)
  return { ...back, ...(outcomes ? { outcomes: survivor.outcomes + outcomes } : {}) }
}

export const merging = feature({
  resources: [leadMerge],
  behaviours: [mergeBehaviour],
  routes: [mergePreview],
})
