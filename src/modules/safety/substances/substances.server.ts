import { problem } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { askSameName } from '../library/same-name.server.ts'
import { asWritten, labelProblems } from './codes.ts'
import { labelFor } from './labels.ts'
import { sheetReplaced } from './sheet-replaced.ts'
import { substance } from './substance.ts'

/** What a label shows follows from its statements, unless somebody says otherwise. */
export const substanceBehaviour = behaviour(substance, {
  beforeSave: async (c) => {
    const { before, changes, now } = c
    const codes = changes.hazardStatements && asWritten(changes.hazardStatements)
    const precautions = changes.precautions && asWritten(changes.precautions)
    const wrong = labelProblems(changes, londonDate(now).toString())
    if (wrong.length) throw problem.invalid(wrong)
    const alike = { supplier: c.values.supplier ?? '' }
    await askSameName(c, substance, { thing: 'substance', alike })
    const label = codes && labelFor(codes)
    const former = before && labelFor(before.hazardStatements)
    const follows = (name: 'pictograms' | 'signalWord') =>
      changes[name] === undefined && (!before || String(before[name] ?? '') === String(former?.[name] ?? ''))
    return {
      ...(codes ? { hazardStatements: codes } : {}),
      ...(precautions ? { precautions } : {}),
      ...(label && follows('pictograms') ? { pictograms: label.pictograms } : {}),
      ...(label && follows('signalWord') ? { signalWord: label.signalWord } : {}),
    }
  },
  afterSave: async (c) => {
    const { before, changes } = c
    if (before?.sheetDate && changes.sheetDate && changes.sheetDate > before.sheetDate)
      await c.emit(sheetReplaced, { substance: before.id })
  },
})
