import { type CellPlace, NEW_ROW } from '#web/grid/cell-place.ts'
import type { SheetActions } from '#web/grid/keys.ts'
import type { Line } from './line.ts'
import { hazardsFrom } from './paste.ts'
import type { Column, GridActions, Which } from './state.web.ts'

const isRating = (col: Column): col is Which => col === 'initial' || col === 'residual'

/** Hazard field that a text cell edits. */
const WORDS: Readonly<Partial<Record<Column, keyof Line>>> = {
  hazard: 'hazardName',
  persons: 'persons',
  responsible: 'responsible',
}

/** Keyboard actions of the hazard grid: two digits rate; typing in a text cell replaces its text. */
export function sheetOf(actions: GridActions, place: CellPlace<Column>): SheetActions<Column> {
  return {
    go: actions.go,
    edit: actions.edit,
    leave: actions.leave,
    move: actions.move,
    add: (below) => actions.add({}, below),
    remove: actions.retire,
    paste: (cells, below) => actions.insert(hazardsFrom(cells), below),
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
      if (key === NEW_ROW) {
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
