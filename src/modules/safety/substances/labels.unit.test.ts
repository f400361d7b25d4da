import { expect, test } from 'vitest'
import { clpLabelForStatements, clpStatementText } from './labels.ts'

test('hazard statements determine the pictograms and the more severe signal word', () => {
  expect(clpLabelForStatements(['H225', 'H319', 'H336'])).toEqual({
    pictograms: ['GHS02', 'GHS07'],
    signalWord: 'Danger',
  })
  expect(clpLabelForStatements(['H315'])).toEqual({ pictograms: ['GHS07'], signalWord: 'Warning' })
  expect(clpLabelForStatements(['H412', 'EUH210'])).toEqual({ pictograms: [], signalWord: null })
  expect(clpLabelForStatements([])).toEqual({ pictograms: [], signalWord: null })
})

test('the exclamation mark pictogram is omitted where CLP gives precedence to a more severe pictogram', () => {
  expect(clpLabelForStatements(['H301', 'H315', 'H336']).pictograms).toEqual(['GHS06'])
  expect(clpLabelForStatements(['H314', 'H315']).pictograms).toEqual(['GHS05'])
  // The corrosion pictogram replaces the exclamation mark for skin irritation, but not the one for drowsiness.
  expect(clpLabelForStatements(['H314', 'H315', 'H336']).pictograms).toEqual(['GHS05', 'GHS07'])
  expect(clpLabelForStatements(['H334', 'H317', 'H319']).pictograms).toEqual(['GHS08'])
  // A statement with the same pictogram as respiratory sensitisers, but for another hazard, doesn't replace the
  // exclamation mark.
  expect(clpLabelForStatements(['H372', 'H317']).pictograms).toEqual(['GHS07', 'GHS08'])
})

test('a hazard statement is shown with its text, and a code that is not in CLP is shown unchanged', () => {
  expect(clpStatementText('H314')).toBe('H314 Causes severe skin burns and eye damage')
  expect(clpStatementText('H999')).toBe('H999')
})
