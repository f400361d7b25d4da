import { expect, test } from 'vitest'
import { clpLabelOfStatements, clpStatementText } from './labels.ts'

test('hazard statements determine the pictograms and the more severe signal word', () => {
  expect(clpLabelOfStatements(['H225', 'H319', 'H336'])).toEqual({
    pictograms: ['GHS02', 'GHS07'],
    signalWord: 'Danger',
  })
  expect(clpLabelOfStatements(['H315'])).toEqual({ pictograms: ['GHS07'], signalWord: 'Warning' })
  expect(clpLabelOfStatements(['H412', 'EUH210'])).toEqual({ pictograms: [], signalWord: null })
  expect(clpLabelOfStatements([])).toEqual({ pictograms: [], signalWord: null })
})

test('the exclamation mark is omitted where CLP gives precedence to a more severe pictogram', () => {
  expect(clpLabelOfStatements(['H301', 'H315', 'H336']).pictograms).toEqual(['GHS06'])
  expect(clpLabelOfStatements(['H314', 'H315']).pictograms).toEqual(['GHS05'])
  // The corrosion pictogram replaces the exclamation mark for skin irritation, but not the one for drowsiness.
  expect(clpLabelOfStatements(['H314', 'H315', 'H336']).pictograms).toEqual(['GHS05', 'GHS07'])
  expect(clpLabelOfStatements(['H334', 'H317', 'H319']).pictograms).toEqual(['GHS08'])
  // A statement with the same pictogram as respiratory sensitisers, but for another hazard, doesn't replace the
  // exclamation mark.
  expect(clpLabelOfStatements(['H372', 'H317']).pictograms).toEqual(['GHS07', 'GHS08'])
})

test('a statement is shown with its text, and a code that is not in CLP is shown unchanged', () => {
  expect(clpStatementText('H314')).toBe('H314 Causes severe skin burns and eye damage')
  expect(clpStatementText('H999')).toBe('H999')
})
