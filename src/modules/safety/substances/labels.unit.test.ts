import { expect, test } from 'vitest'
import { labelOfStatements, labelStatementText } from './labels.ts'

test('hazard statements determine the pictograms and the more severe signal word', () => {
  expect(labelOfStatements(['H225', 'H319', 'H336'])).toEqual({ pictograms: ['GHS02', 'GHS07'], signalWord: 'Danger' })
  expect(labelOfStatements(['H315'])).toEqual({ pictograms: ['GHS07'], signalWord: 'Warning' })
  expect(labelOfStatements(['H412', 'EUH210'])).toEqual({ pictograms: [], signalWord: null })
  expect(labelOfStatements([])).toEqual({ pictograms: [], signalWord: null })
})

test('the exclamation mark is omitted where CLP gives precedence to a more severe pictogram', () => {
  expect(labelOfStatements(['H301', 'H315', 'H336']).pictograms).toEqual(['GHS06'])
  expect(labelOfStatements(['H314', 'H315']).pictograms).toEqual(['GHS05'])
  // Corrosion doesn't replace the exclamation mark for drowsiness.
  expect(labelOfStatements(['H314', 'H315', 'H336']).pictograms).toEqual(['GHS05', 'GHS07'])
  expect(labelOfStatements(['H334', 'H317', 'H319']).pictograms).toEqual(['GHS08'])
  // Another hazard with the same pictogram doesn't count as a respiratory hazard.
  expect(labelOfStatements(['H372', 'H317']).pictograms).toEqual(['GHS07', 'GHS08'])
})

test('a statement is shown with its text, and a code that is not in CLP is shown unchanged', () => {
  expect(labelStatementText('H314')).toBe('H314 Causes severe skin burns and eye damage')
  expect(labelStatementText('H999')).toBe('H999')
})
