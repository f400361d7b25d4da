import { expect, test } from 'vitest'
import { flag, integer, text } from '#kernel/fields.ts'
import { exportColumnParams, formatExportFileName } from './export.ts'

test('the name of an exported file includes the name of the list and the time', () => {
  const at = Temporal.ZonedDateTime.from('2026-11-23T09:30:12[Europe/London]')
  expect(formatExportFileName('Leads', at, 'csv')).toBe('Leads 2026-11-23 0930.csv')
})

test('an exported file has the same column headings as the screen', () => {
  const fields = {
    phone: text(),
    mobile: text(),
    signatures: integer(),
    asked: integer(),
    madeAt: text(),
    retired: flag(),
  }
  const column = { render: () => null }
  expect(
    exportColumnParams({ fields }, [
      { ...column, key: 'phone', title: 'Telephone', fields: ['phone;mobile'] },
      { ...column, key: 'madeAt', title: 'Age', inFile: 'Added' },
      { ...column, key: 'signed', title: 'Signed', fields: ['signatures', 'asked'] },
      { ...column, key: 'chip', title: 'Chip' },
    ]),
  ).toEqual({
    columns: 'phone;mobile,madeAt,signatures,asked',
    titles: 'Telephone|Added|Signed: signatures|Signed: asked',
  })
})
