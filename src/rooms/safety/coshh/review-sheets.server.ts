import { londonDate } from '#kernel/time.ts'
import { listener } from '#server/engine/listener.ts'
import { sheetReplaced } from '../substances/sheet-replaced.ts'
import { coshhAssessment, coshhSubstance } from './coshh-assessment.ts'

/**
 * A newer data sheet starts a review of the assessments in force that were made by an older one: they are due from today, listed and
 * reminded of as such, until somebody has looked at them. What they say stands.
 */
export const reviewAfterSheet = listener(sheetReplaced, {
  name: 'coshh.review-after-sheet',
  lane: 'events',
  run: async (c, { substance }) => {
    const documents = [...new Set((await c.find(coshhSubstance, { substance })).map((row) => row.document))]
    if (!documents.length) return
    const { resource } = coshhAssessment
    const today = londonDate(c.now).toString()
    for (const row of await c.lockAll(resource, { id: documents, current: true, retired: false }))
      if (!row.reviewDue || row.reviewDue > today) await c.change(resource, row, { reviewDue: today })
  },
})
