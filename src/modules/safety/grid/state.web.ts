import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Collection, callApi, queryString } from '#web/api/client.ts'
import { NEW_ROW_KEY, useCellPosition } from '#web/grid/cell-place.ts'
import { showUndoToast, toast as tell } from '#web/ui/toast.ts'
import { hazard, hazardControl } from '../library/hazard.ts'
import type { RankedHazard } from '../library/ranking.ts'
import type { RiskMatrix } from '../risk-matrix/bands.ts'
import {
  addControl,
  confirmControls,
  createHazard,
  flattenHazards,
  formatRiskRating,
  type GridHazard,
  groupHazardLines,
  type HazardGridRows,
  hazardLineKeyOf,
  isHazardUnconfirmed,
  moveHazard,
  type NewControl,
  removeControl,
  restoreHazardAsNew,
  updateControl,
  updateHazard,
  updateHazardValues,
} from './grid.ts'
import type { HazardLine } from './line.ts'

/** Library hazard suggested for a document. */
export interface SuggestedHazard extends RankedHazard {
  readonly '@id': string
}

interface SuggestedControl {
  readonly '@id': string
  /** IRI of the hazard. */
  readonly hazard: string
  readonly name: string
  readonly description: string
  readonly tier: string | null
}

/** Converts a library control to a new control for the document. */
export const toNewControl = (c: SuggestedControl): NewControl => ({
  name: c.name,
  tier: c.tier,
  control: c['@id'],
  description: c.description,
})

const HAZARDS = `${hazard.url}/component_hazards_list`

const CONTROLS = `${hazardControl.url}/component_controls_list`

const offer = <T>(url: string, params: Record<string, string | readonly string[]>) =>
  queryOptions({
    queryKey: [url, params] as const,
    queryFn: ({ signal }) => callApi<Collection<T>>('GET', `${url}${queryString(params)}`, undefined, { signal }),
    staleTime: 5 * 60_000,
  })

/**
 * Fetches the library's hazards, ranked for the industry of the document or company. The hazards are loaded once and
 * searched in the browser.
 */
export const useSuggestedHazards = (industry = 'own') =>
  useQuery(offer<SuggestedHazard>(HAZARDS, { industry })).data?.['hydra:member']

/** Returns the query for a hazard's library controls, most effective kind first. */
const suggestedControlsQuery = (hazard: string) => offer<SuggestedControl>(CONTROLS, { hazard })

/**
 * Loads the library controls of all the document's hazards in one request. The response is stored on this device, so
 * that the controls are proposed without a connection too.
 */
function useControlsOfAllHazards(grid: HazardGridRows): void {
  const client = useQueryClient()
  const hazards = [...new Set(grid.flatMap(({ head }) => head.hazard ?? []))].toSorted().join()
  const all = hazards.split(',')
  const { data } = useQuery({
    ...offer<SuggestedControl>(CONTROLS, { hazard: all }),
    enabled: hazards !== '',
    placeholderData: keepPreviousData,
  })
  useEffect(() => {
    if (!data) return
    for (const iri of hazards.split(',')) {
      const { queryKey } = suggestedControlsQuery(iri)
      const controls = data['hydra:member'].filter((c) => c.hazard === iri)
      if (controls.length && !client.getQueryData(queryKey))
        client.setQueryData(queryKey, { ...data, 'hydra:member': controls })
    }
  }, [client, data, hazards])
}

const NONE: readonly SuggestedControl[] = []

/** Fetches a hazard's library controls that are not yet in the document. */
export function useSuggestedControls(hazard: GridHazard): readonly SuggestedControl[] {
  const of = hazard.head.hazard
  const found = useQuery({ ...suggestedControlsQuery(of ?? ''), enabled: Boolean(of) }).data?.['hydra:member'] ?? NONE
  return unusedSuggestedControls(hazard, found)
}

const unusedSuggestedControls = ({ controls }: GridHazard, offered: readonly SuggestedControl[]): SuggestedControl[] =>
  offered.filter(
    (o) => !controls.some((c) => c.control === o['@id'] || c.controlName?.toLowerCase() === o.name.toLowerCase()),
  )

export const HAZARD_COLUMNS = ['hazard', 'persons', 'controls', 'initial', 'residual', 'responsible', 'menu'] as const
export type HazardColumn = (typeof HAZARD_COLUMNS)[number]
export type RiskRatingKind = 'initial' | 'residual'

export type HazardGridActions = ReturnType<typeof useHazardGrid>['actions']

/** Returns the state of the hazard grid: its hazards, the focused cell, the latest announcement and the actions. */
export function useHazardGrid(value: unknown, onChange: (lines: HazardLine[]) => void, matrix: RiskMatrix) {
  const grid = useMemo(() => groupHazardLines(Array.isArray(value) ? (value as HazardLine[]) : []), [value])
  // Latest hazards, because several actions can run before the next render.
  const now = useRef(grid)
  useLayoutEffect(() => {
    now.current = grid
  })
  const { place, at, root, stand, moves } = useCellPosition<HazardColumn>('hazard')
  const [said, say] = useState('')
  const client = useQueryClient()
  useControlsOfAllHazards(grid)

  const put = useCallback(
    (next: HazardGridRows) => {
      now.current = next
      onChange(flattenHazards(next))
    },
    [onChange],
  )
  const actions = useMemo(() => {
    const { go } = moves
    const find = (key: string) => now.current.find((h) => h.key === key)
    const name = (key: string) => find(key)?.head.hazardName || 'Hazard'
    const to = (key: string, change: (h: GridHazard) => GridHazard | undefined) =>
      put(updateHazard(now.current, key, change))
    const insert = (made: readonly GridHazard[], after?: string) => {
      const i = after === undefined ? -1 : now.current.findIndex((h) => h.key === after)
      put(i < 0 ? [...now.current, ...made] : now.current.toSpliced(i + 1, 0, ...made))
    }
    /** Removes the row if it was left empty. Returns true if the row was removed. */
    const drop = (key: string) => {
      const h = find(key)
      if (!h || h.head.hazardName || h.controls.length || h.head.judged || h.head.persons) return false
      to(key, () => undefined)
      return true
    }
    return {
      say,
      ...moves,
      /**
       * Stops editing: moves focus back to the cell and retains the typed text. If the row was left empty, removes it
       * and moves focus to the new row.
       */
      leave: (key: string, col: HazardColumn) =>
        go(drop(key) ? { key: NEW_ROW_KEY, col: 'hazard', editing: false } : { key, col, editing: false }),
      /** Stops editing when focus has moved elsewhere, for example after a click. */
      left: (key: string) => {
        if (at.current.key !== key || !at.current.editing) return
        const gone = drop(key)
        stand(gone ? { key: NEW_ROW_KEY, col: 'hazard', editing: false } : { ...at.current, editing: false })
      },
      change: (key: string, values: HazardLine) => to(key, (h) => updateHazardValues(h, values)),
      judge: (key: string, which: RiskRatingKind, probability: number, severity: number) => {
        to(key, (h) => updateHazardValues(h, judgedAs(which, probability, severity)))
        say(
          `${which === 'initial' ? 'Initial risk' : 'Residual risk'}: ${formatRiskRating(matrix, { probability, severity })}`,
        )
      },
      /** Handles a digit typed in a rating cell: first the probability, then the severity. */
      digit: (key: string, which: RiskRatingKind, digit: number) => {
        const h = find(key)
        if (!h) return
        const second = at.current.half && at.current.key === key && at.current.col === which
        const p = which === 'initial' ? h.head.probability : h.head.residualProbability
        if (!second) {
          to(key, (one) =>
            updateHazardValues(one, which === 'initial' ? { probability: digit } : { residualProbability: digit }),
          )
          say(`Probability ${digit}. Now enter the severity, 1 to 5`)
        } else {
          to(key, (one) => updateHazardValues(one, judgedAs(which, p ?? 5, digit)))
          say(formatRiskRating(matrix, { probability: p ?? 5, severity: digit }))
        }
        stand({ key, col: which, editing: false, half: !second })
      },
      add: (given: HazardLine = {}, after?: string, start?: string) => {
        const made = createHazard(given)
        insert([made], after)
        go({ key: made.key, col: 'hazard', editing: true, start })
        say('New hazard')
        return made.key
      },
      insert: (made: readonly GridHazard[], after?: string) => {
        insert(made, after)
        // The pasted rows replace an empty row.
        const [first] = made
        if (first && after !== undefined && drop(after)) go({ key: first.key, col: 'hazard', editing: false })
        say(made.length === 1 ? `${made[0]?.head.hazardName} added` : `${made.length} hazards added`)
      },
      addFromLibrary: (h: SuggestedHazard, controls: readonly SuggestedControl[]) =>
        insert([withControls(createHazard(fromOffer(h)), controls)]),
      choose: (key: string, h: SuggestedHazard) => {
        to(key, (one) => updateHazardValues(one, fromOffer(h)))
        say(`${h.name}. Alt+A adds the library’s controls`)
      },
      /** Adds all library controls of the hazard. A single undo removes them again. */
      addAll: async (key: string) => {
        const of = find(key)?.head.hazard
        const list = of ? await client.ensureQueryData(suggestedControlsQuery(of)).catch(tell.failed) : undefined
        const before = find(key)
        if (!before || before.head.hazard !== of) return
        const free = unusedSuggestedControls(before, list?.['hydra:member'] ?? [])
        if (!free.length) return say('The library has no more controls for this hazard')
        to(key, (h) => withControls(h, free))
        const had = new Set(before.controls.map(hazardLineKeyOf))
        const added = find(key)?.controls.flatMap((c) => (had.has(hazardLineKeyOf(c)) ? [] : hazardLineKeyOf(c))) ?? []
        const message = `${added.length} ${added.length === 1 ? 'control' : 'controls'} added to ${name(key).slice(0, 80)}`
        say(message)
        showUndoToast({ message, undo: () => to(key, (h) => added.reduce(removeControl, h)) })
      },
      addControl: (key: string, control: NewControl) => {
        to(key, (h) => addControl(h, control))
        say(`${control.name} added`)
      },
      changeControl: (key: string, control: string, values: HazardLine) =>
        to(key, (h) => updateControl(h, control, values)),
      /** Marks the hazard's controls as in place and of the types shown. */
      confirmControls: (key: string) => {
        to(key, confirmControls)
        say(`${name(key)}: controls confirmed`)
      },
      removeControl: (key: string, control: string) => {
        to(key, (h) => removeControl(h, control))
        say('Control removed')
      },
      /** Confirms a copied hazard and moves focus to the next unconfirmed hazard. */
      confirm: (key: string, col: HazardColumn) => {
        const h = find(key)
        if (!h || !isHazardUnconfirmed(h)) return false
        to(key, (one) => updateHazardValues(one, { unconfirmed: false }))
        const i = now.current.findIndex((one) => one.key === key)
        const next = [...now.current.slice(i + 1), ...now.current.slice(0, i)].find(isHazardUnconfirmed)
        const left = now.current.filter(isHazardUnconfirmed).length
        say(
          left
            ? `${name(key)}: confirmed. ${left} left to confirm`
            : `${name(key)}: confirmed. All hazards are confirmed`,
        )
        go({ key: next?.key ?? key, col, editing: false })
        return true
      },
      retire: (key: string) => {
        const i = now.current.findIndex((h) => h.key === key)
        const gone = now.current[i]
        if (!gone) return
        const next = now.current[i + 1] ?? now.current[i - 1]
        to(key, () => undefined)
        go({ key: next?.key ?? NEW_ROW_KEY, col: next ? at.current.col : 'hazard', editing: false })
        const what = gone.head.hazardName || 'Hazard'
        say(`${what} removed`)
        showUndoToast({
          message: `${what.slice(0, 80)} removed${gone.controls.length ? `, with ${gone.controls.length} ${gone.controls.length === 1 ? 'control' : 'controls'}` : ''}`,
          undo: () => {
            const back = restoreHazardAsNew(gone)
            put(now.current.toSpliced(i, 0, back))
            go({ key: back.key, col: 'hazard', editing: false })
          },
        })
      },
      /** Adds a copy of a hazard with its controls below it. */
      duplicate: (key: string) => {
        const h = find(key)
        if (!h) return
        const copy = restoreHazardAsNew(h)
        put(now.current.toSpliced(now.current.indexOf(h) + 1, 0, copy))
        go({ key: copy.key, col: 'hazard', editing: false })
        say(`${name(copy.key)} duplicated`)
      },
      move: (key: string, by: 1 | -1) => {
        put(moveHazard(now.current, key, by))
        go({ key, col: at.current.col, editing: false })
        say(`${name(key)}: now hazard ${now.current.findIndex((h) => h.key === key) + 1} of ${now.current.length}`)
      },
    }
  }, [put, at, stand, moves, client, matrix])
  return { grid, place, said, root, actions }
}

const judgedAs = (which: RiskRatingKind, probability: number, severity: number): HazardLine =>
  which === 'initial'
    ? { probability, severity, judged: true, unconfirmed: false }
    : { residualProbability: probability, residualSeverity: severity, unconfirmed: false }

const withControls = (h: GridHazard, controls: readonly SuggestedControl[]): GridHazard =>
  controls.reduce((one, c) => addControl(one, toNewControl(c)), h)

const fromOffer = (h: SuggestedHazard): HazardLine => ({
  hazard: h['@id'],
  hazardName: h.name,
  group: h.group.name,
  description: h.description,
})
