import { problem } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { askSameName } from '../library/same-name.server.ts'
import { asWritten, labelProblems } from './codes.ts'
import { copySubstance } from './copy.server.ts'
import { labelFor } from './labels.ts'
import { substanceReference } from './reference.server.ts'
import { sheetReplaced } from './sheet-replaced.ts'
import { substance, substanceLimit } from './substance.ts'

/** What a label shows follows from its statements, unless somebody says otherwise. */
const substanceBehaviour = behaviour(substance, {
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

export const substances = feature({
  pack: 'safety',
  resources: [substance, substanceLimit],
  behaviours: [substanceBehaviour],
  routes: [copySubstance],
  referenceData: [substanceReference],
  seeds: () => import('./demo.server.ts'),
})
