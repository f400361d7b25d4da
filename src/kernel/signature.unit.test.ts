import { expect, test } from 'vitest'
import {
  isSamePersonName,
  parseSignature,
  type SignatureValue,
  signatureDrawingProblem,
  signatureProblems,
  toPrintableSignatureDrawing,
  toStoredSignatureDrawing,
  totalStrokeLength,
} from './signature.ts'

const drawn: SignatureValue = {
  name: 'Ann Carter',
  method: 'finger',
  strokes: [
    [
      [0.1, 0.5],
      [0.4, 0.5],
    ],
    [
      [0.5, 0.1],
      [0.5, 0.5],
    ],
  ],
  width: 320,
  height: 160,
}

test('the length of a signature drawing is the sum of the lengths of its strokes, without the gaps between them', () => {
  expect(totalStrokeLength(drawn.strokes)).toBeCloseTo(0.7)
  expect(totalStrokeLength([[[0.2, 0.2]], []])).toBe(0)
})

test('a drawn or typed signature with a name is valid, but one with a single point or without a name is not', () => {
  expect(signatureProblems(drawn)).toEqual([])
  expect(signatureProblems({ ...drawn, strokes: [[[0.5, 0.5]]] }).map((v) => v.propertyPath)).toEqual(['strokes'])
  expect(signatureProblems({ ...drawn, method: 'typed', strokes: [] })).toEqual([])
  expect(signatureProblems({ ...drawn, name: ' ', strokes: [] }).map((v) => v.propertyPath)).toEqual([
    'name',
    'strokes',
  ])
})

test.each([
  undefined,
  'Ann',
  { name: 'Ann' },
  { ...drawn, method: 'stamp' },
  { ...drawn, strokes: 'M0 0' },
  { ...drawn, strokes: [[[0.1, 2]]] },
  { ...drawn, strokes: [[[0.1]]] },
  { ...drawn, strokes: [Array.from({ length: 20_001 }, () => [0, 0])] },
  { ...drawn, width: Number.NaN },
])('parsing an invalid signature returns undefined: %#', (value) => {
  expect(parseSignature(value)).toBeUndefined()
})

test('a typed signature has no strokes, and its name is trimmed', () => {
  expect(parseSignature({ ...drawn, method: 'typed', name: ' Ann Carter ' })).toEqual({
    ...drawn,
    method: 'typed',
    strokes: [],
  })
  expect(parseSignature({ name: 'Ann', method: 'typed' })).toMatchObject({ width: 0, height: 0 })
})

test('names that look the same are considered equal when signing', () => {
  for (const name of ['ANN  Carter', 'Ann\u200B Car\u00ADter', '\u202EAnn Carter', 'Ａｎｎ Carter\uFE0F'])
    expect([name, isSamePersonName(name, 'Ann Carter')]).toEqual([name, true])
  expect(isSamePersonName('Ann Carter of Acme', 'Ann Carter')).toBe(false)
})

test('a signature drawing is stored without additional properties, and a typed signature without a drawing', () => {
  const { width, height, strokes } = drawn
  expect(toStoredSignatureDrawing('finger', { width, height, strokes, more: 'x'.repeat(1000) })).toEqual({
    width,
    height,
    strokes,
  })
  expect(toStoredSignatureDrawing('on behalf', { width, height, strokes })).toEqual({ width, height, strokes })
  expect([
    toStoredSignatureDrawing('typed', { width, height, strokes }),
    toStoredSignatureDrawing('finger', null),
  ]).toEqual([null, null])
})

test.each([
  [0, 160],
  [320, 0],
  [1e-300, 160],
  [0.5, 0.5],
  [undefined, 160],
  [320, undefined],
])('a new signature drawn on a pad of %s by %s is rejected, but a stored one can still be printed', (width, height) => {
  const odd = { ...drawn, width, height }
  const unreadable = 'The drawn signature is not valid. Please sign again'
  expect(signatureDrawingProblem(odd)).toBe(unreadable)
  const given = parseSignature(odd)
  expect(given && signatureProblems(given)).toMatchObject([{ propertyPath: 'strokes', message: unreadable }])
  expect(toPrintableSignatureDrawing(odd)).toMatchObject({
    width: 300,
    height: 100,
    strokes: [[[30, 50], expect.anything()], expect.anything()],
  })
})
