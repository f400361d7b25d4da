import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NEW_ROW_KEY } from './cell-place.ts'
import { findCellForArrowKey, findCellForTabKey } from './keys.ts'

const COLUMNS = ['name', 'who', 'menu'] as const
const sheets = fc.nat(6).map((many) => ({ columns: COLUMNS, keys: Array.from({ length: many }, (_, i) => `row ${i}`) }))

describe('the Tab key in a grid', () => {
  it('Tab moves through every cell once, then leaves the grid from the row for new rows', () => {
    fc.assert(
      fc.property(sheets, (sheet) => {
        const seen: string[] = []
        let cell =
          sheet.keys[0] === undefined ? undefined : { key: sheet.keys[0], col: 'name' as (typeof COLUMNS)[number] }
        while (cell && cell.key !== NEW_ROW_KEY) {
          seen.push(`${cell.key} ${cell.col}`)
          cell = findCellForTabKey(sheet, cell, false)
        }
        expect(seen).toEqual(sheet.keys.flatMap((key) => COLUMNS.map((col) => `${key} ${col}`)))
        if (cell) expect(findCellForTabKey(sheet, cell, false)).toBeUndefined()
      }),
    )
  })

  it('Shift+Tab moves through the cells in reverse order', () => {
    fc.assert(
      fc.property(sheets, fc.nat(), fc.constantFrom(...COLUMNS), (sheet, n, col) => {
        const key = sheet.keys[n % Math.max(1, sheet.keys.length)]
        if (key === undefined) return
        const next = findCellForTabKey(sheet, { key, col }, false)
        if (next) expect(findCellForTabKey(sheet, next, true)).toEqual({ key, col })
      }),
    )
  })
})

describe('the arrow keys in a grid', () => {
  const PRESSED = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']
  it('an arrow key never moves outside the existing cells', () => {
    fc.assert(
      fc.property(
        sheets,
        fc.nat(),
        fc.constantFrom(...COLUMNS),
        fc.constantFrom(...PRESSED),
        fc.boolean(),
        (sheet, n, col, pressed, command) => {
          const keys = [...sheet.keys, NEW_ROW_KEY]
          const to = findCellForArrowKey(sheet, { key: keys[n % keys.length] ?? NEW_ROW_KEY, col }, pressed, command)
          if (to) expect(keys).toContain(to.key)
          if (to?.key === NEW_ROW_KEY && pressed !== 'ArrowLeft' && pressed !== 'Home') expect(to.col).toBe('name')
        },
      ),
    )
  })

  it('the down arrow moves from the last row to the row for new rows', () => {
    expect(findCellForArrowKey({ columns: COLUMNS, keys: ['a', 'b'] }, { key: 'b', col: 'who' }, 'ArrowDown')).toEqual({
      key: NEW_ROW_KEY,
      col: 'name',
    })
    expect(
      findCellForArrowKey({ columns: COLUMNS, keys: ['a', 'b'] }, { key: NEW_ROW_KEY, col: 'name' }, 'ArrowUp'),
    ).toEqual({
      key: 'b',
      col: 'name',
    })
  })
})
