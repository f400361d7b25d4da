import { type CellPosition, NEW_ROW_KEY } from '#web/grid/cell-place.ts'
import type { EditableGridActions } from '#web/grid/keys.ts'
import type { HazardLine } from './line.ts'
import { parsePastedHazards } from './paste.ts'
import type { HazardColumn, HazardGridActions, RatingKind } from './state.web.ts'

const isRating = (col: HazardColumn): col is RatingKind => col === 'initial' || col === 'residual'

/** Hazard field that a text cell edits. */
const WORDS: Readonly<Partial<Record<HazardColumn, keyof HazardLine>>> = {
  hazard: 'hazardName',
  persons: 'persons',
  responsible: 'responsible',
}

/** Keyboard actions of the hazard grid: two digits rate; typing in a text cell replaces its text. */
export function hazardSheetActions(
  actions: HazardGridActions,
  place: CellPosition<HazardColumn>,
): EditableGridActions<HazardColumn> {
  return {
    go: actions.go,
    edit: actions.edit,
    leave: actions.leave,
    move: actions.move,
    add: (below) => actions.add({}, below),
    remove: actions.retire,
    paste: (cells, below) => actions.insert(parsePastedHazards(cells), below),
    clear: (key, col) => {
      const field = WORDS[col]
      if (!field || col === 'hazard') return false
      actions.change(key, { [field]: '' })
      return true
    },
    type: (key, col, character) => {
      if (isRating(col)) {
        if (/y/i.test(character)) return actions.confirm(key, col)
        if (!/[1-5]/.test(character)) return false
        actions.digit(key, col, Number(character))
        return true
      }
      if (key === NEW_ROW_KEY) {
        actions.add({ hazardName: character }, undefined, character)
        return true
      }
      const field = WORDS[col]
      if (field) {
        actions.change(key, { [field]: character })
        actions.edit(key, col, place.start)
      } else if (col === 'controls') actions.edit(key, col, character)
      else return false
      return true
    },
  }
}
