import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NEW_ROW } from './cell-place.ts'
import { cellAt, cellBeside } from './keys.ts'

const COLUMNS = ['name', 'who', 'menu'] as const
const sheets = fc.nat(6).map((many) => ({ columns: COLUMNS, keys: Array.from({ length: many }, (_, i) => `row ${i}`) }))

describe('Tab', () => {
  it('walks through every cell once and then leaves by the row that adds', () => {
    fc.assert(
      fc.property(sheets, (sheet) => {
        const seen: string[] = []
        let cell =
          sheet.keys[0] === undefined ? undefined : { key: sheet.keys[0], col: 'name' as (typeof COLUMNS)[number] }
        while (cell && cell.key !== NEW_ROW) {
          seen.push(`${cell.key} ${cell.col}`)
          cell = cellBeside(sheet, cell, false)
        }
        expect(seen).toEqual(sheet.keys.flatMap((key) => COLUMNS.map((col) => `${key} ${col}`)))
        if (cell) expect(cellBeside(sheet, cell, false)).toBeUndefined()
      }),
    )
  })

  it('walks back the way it came', () => {
    fc.assert(
      fc.property(sheets, fc.nat(), fc.constantFrom(...COLUMNS), (sheet, n, col) => {
        const key = sheet.keys[n % Math.max(1, sheet.keys.length)]
        if (key === undefined) return
        const next = cellBeside(sheet, { key, col }, false)
        if (next) expect(cellBeside(sheet, next, true)).toEqual({ key, col })
      }),
    )
  })
})

describe('an arrow', () => {
  const PRESSED = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']
  it('leads to a cell that is there, or nowhere', () => {
    fc.assert(
      fc.property(
        sheets,
        fc.nat(),
        fc.constantFrom(...COLUMNS),
        fc.constantFrom(...PRESSED),
        fc.boolean(),
        (sheet, n, col, pressed, command) => {
          const keys = [...sheet.keys, NEW_ROW]
          const to = cellAt(sheet, { key: keys[n % keys.length] ?? NEW_ROW, col }, pressed, command)
          if (to) expect(keys).toContain(to.key)
          if (to?.key === NEW_ROW && pressed !== 'ArrowLeft' && pressed !== 'Home') expect(to.col).toBe('name')
        },
      ),
    )
  })

  it('leads down past the last row to the one that adds', () => {
    expect(cellAt({ columns: COLUMNS, keys: ['a', 'b'] }, { key: 'b', col: 'who' }, 'ArrowDown')).toEqual({
      key: NEW_ROW,
      col: 'name',
    })
    expect(cellAt({ columns: COLUMNS, keys: ['a', 'b'] }, { key: NEW_ROW, col: 'name' }, 'ArrowUp')).toEqual({
      key: 'b',
      col: 'name',
    })
  })
})
