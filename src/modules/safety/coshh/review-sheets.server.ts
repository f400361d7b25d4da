import { londonDate } from '#kernel/time.ts'
import { requestReview } from '#modules/documents/review/asked.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { sheetReplacedEvent } from '../substances/sheet-replaced.ts'
import { substance as substances } from '../substances/substance.ts'
import { coshhAssessment, coshhSubstance } from './coshh-assessment.ts'

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const

/**
 * Requests a review of the assessments in force that use an older data sheet: due from today, listed and reminded until
 * reviewed. Their content stays unchanged.
 */
export const requestSheetReview = eventHandler(sheetReplacedEvent, {
  name: 'coshh.review-after-sheet',
  queue: 'events',
  run: async (c, { substance }) => {
    const documents = [...new Set((await c.find(coshhSubstance, { substance })).map((row) => row.document))]
    if (!documents.length) return
    const { resource } = coshhAssessment
    const today = londonDate(c.now)
    const name = (await c.get(substances, substance))?.name ?? ''
    const reason = `The data sheet of ${name} was replaced on ${today.toLocaleString('en-GB', DAY)}.`
    for (const row of await c.lockAll(resource, { id: documents, current: true, retired: false })) {
      const asked = requestReview(row, reason, today.toString())
      if (asked) await c.change(resource, row, asked)
    }
  },
})
