import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { findOutcomeNoteError, outcomeSetsDate, outcomesWithKeys } from './decide.ts'
import { callOutcome, lastResult, MAX_OUTCOME_INTERVAL, MAX_OUTCOME_KEYS } from './outcome.ts'

type Row = RowOf<typeof callOutcome>
type Values = ValuesOf<typeof callOutcome>

/** Effects that are reserved for the portal's own outcomes and not available to custom ones. */
const ITS_OWN: readonly unknown[] = ['skip', 'none']
/** Fields that determine the effect of an outcome. */
const RULES = ['effect', 'interval', 'unit', 'workingDays', 'becomes', 'owner', 'tray', 'notes', 'asks', 'retired']

const outcomeBehaviour = behaviour(callOutcome, {
  beforeSave: async (c) => {
    const { before, changes } = c
    mustBeSayable(before, changes)
    const fitted = { ...changes, ...fittingTo({ ...c.values }) }
    const merged = { ...c.values, ...fitted }
    mustBeRight(before, merged)
    const key = await keyFor(c, merged)
    const isChanged = RULES.some((name) => name in fitted)
    return {
      ...fitted,
      key,
      ...(before ? isChanged && { version: before.version + 1 } : { version: 1, call: true }),
    }
  },
})

function mustBeSayable(before: Row | undefined, { effect, category }: Values): void {
  const fixed = before && ITS_OWN.includes(before.effect)
  if (effect !== undefined && (ITS_OWN.includes(effect) || fixed))
    throw problem.invalid([violation('effect', 'Only the portal can set or change this effect')])
  if (before && category !== undefined)
    throw problem.invalid([
      violation('category', 'The list of an outcome can’t be changed. Please create a new outcome for the other list'),
    ])
}

/** Clears the fields that the outcome's effect does not use. */
function fittingTo(values: Values): Values {
  const dated = values.effect !== undefined && outcomeSetsDate({ effect: values.effect })
  return {
    ...(dated || values.interval == null ? {} : { interval: null }),
    ...(dated || !values.asks ? {} : { asks: false }),
    ...(values.owner === 'tray' || values.tray == null ? {} : { tray: null }),
  }
}

function mustBeRight(before: Row | undefined, values: Values): void {
  if (values.effect === undefined || values.effect === 'none') return
  const dated = outcomeSetsDate({ effect: values.effect })
  const most = MAX_OUTCOME_INTERVAL[values.unit ?? 'days']
  const note = values.notes?.trim() ?? ''
  const wrongNote = note ? findOutcomeNoteError(note, dated) : 'Please enter the text of the note'
  const wrong = [
    ...(dated && !values.interval ? [violation('interval', 'Please enter the number of days or months')] : []),
    ...((values.interval ?? 0) > most
      ? [violation('interval', `The interval can be at most ${most} ${values.unit}`)]
      : []),
    ...(values.owner === 'tray' && !values.tray ? [violation('tray', 'Please choose a tray')] : []),
    ...(wrongNote ? [violation('notes', wrongNote)] : []),
    ...(before && values.becomes === before.id ? [violation('becomes', 'Please choose a different outcome')] : []),
  ]
  if (wrong.length) throw problem.invalid(wrong)
}

/**
 * Assigns a shortcut key to an outcome: the requested key, or else the first free one. If the requested key is in use,
 * the other outcome gets this outcome's previous key or the first free one. Returns null for outcomes that users can't
 * choose. Throws 409 if no key is free.
 */
async function keyFor(c: Context & BeforeSaveInput<typeof callOutcome>, values: Values): Promise<number | null> {
  const { before } = c
  if (values.retired || values.effect === 'none') return null
  const others = outcomesWithKeys(await c.lockAll(callOutcome, { retired: false })).filter(
    ({ id }) => id !== before?.id,
  )
  const wanted = values.key ?? firstFree(others)
  if (wanted === undefined)
    throw problem.conflict(`All ${MAX_OUTCOME_KEYS} keys are taken. Please retire an outcome first.`)
  const holder = others.find(({ key }) => key === wanted)
  if (!holder) return wanted
  const instead = before?.key ?? firstFree(others)
  if (instead === undefined)
    throw problem.conflict(`All ${MAX_OUTCOME_KEYS} keys are taken. Please retire an outcome first.`)
  await c.set(callOutcome, holder, { key: instead }, 'update')
  return wanted
}

const firstFree = (taken: readonly { readonly key: number | null }[]): number | undefined =>
  Array.from({ length: MAX_OUTCOME_KEYS }, (_, n) => n + 1).find((n) => taken.every(({ key }) => key !== n))

export const outcomes = feature({
  resources: [lastResult, callOutcome],
  behaviours: [outcomeBehaviour],
})

type Delivered = Omit<RowOf<typeof callOutcome>, 'clientId' | 'version' | 'retired'>

/** Outcomes and results with which a portal starts (specification, sections 4 and 9). */
export const DEFAULT_OUTCOMES: readonly Delivered[] = readReferenceFile('last-results.json')

/** Returns the default outcome with this code. Throws if there is none. */
export function getDefaultOutcome(code: number): Delivered {
  const found = DEFAULT_OUTCOMES.find(({ id }) => id === code)
  if (!found) throw new Error(`There is no default outcome with the code ${code}`)
  return found
}
