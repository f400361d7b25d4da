import { problem, type Violation, violation } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { askSameName } from '../library/same-name.server.ts'
import { labelFor } from './labels.ts'
import { sheetReplaced } from './sheet-replaced.ts'
import { substance } from './substance.ts'

const HAZARD = /^(EU)?H\d{3}[A-Za-z]{0,2}(\+H\d{3}[A-Za-z]{0,2})*$/
const PRECAUTION = /^P\d{3}(\+P\d{3})*$/

/** Codes as labels have them, each once: "h314 " is H314. */
const asWritten = (codes: readonly string[]) => [
  ...new Set(codes.map((code) => code.replace(/\s/g, '').replace(/(^|\+)(eu)?[hp]/gi, (start) => start.toUpperCase()))),
]

/** What no label can say. A statement that is newer than our list may be right: nothing is proposed for it, that is all. */
const wrongCodes = (name: string, codes: readonly string[], form: RegExp, example: string): Violation[] =>
  codes.flatMap((code, i) =>
    form.test(code) ? [] : [violation(`${name}[${i}]`, `“${code}” is no statement such as ${example}`)],
  )

/** What a label shows follows from its statements, unless somebody says otherwise. */
export const substanceBehaviour = behaviour(substance, {
  prepare: async (c) => {
    const { before, changes, now } = c
    const codes = changes.hazardStatements && asWritten(changes.hazardStatements)
    const precautions = changes.precautions && asWritten(changes.precautions)
    const wrong = [
      ...wrongCodes('hazardStatements', codes ?? [], HAZARD, 'H314'),
      ...wrongCodes('precautions', precautions ?? [], PRECAUTION, 'P280'),
      ...(changes.sheetDate && changes.sheetDate > londonDate(now).toString()
        ? [violation('sheetDate', 'A data sheet can’t be dated after today')]
        : []),
    ]
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
  saved: async (c) => {
    const { before, changes } = c
    if (before?.sheetDate && changes.sheetDate && changes.sheetDate > before.sheetDate)
      await c.after(sheetReplaced, { substance: before.id })
  },
})
