import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LOGO_BACKGROUNDS, measureLogoContrast } from './logo-contrast.ts'

const points = (...all: readonly (readonly [number, number, number, number])[]) => Uint8Array.from(all.flat())
const many = (n: number, one: readonly [number, number, number, number]) => Array.from({ length: n }, () => one)
const WHITE = [255, 255, 255, 255] as const
const BLACK = [0, 0, 0, 255] as const
const CLEAR = [255, 255, 255, 0] as const

describe('visibility of a logo', () => {
  test('a white logo on a transparent background counts as visible only on the dark background', () => {
    const logo = points(...many(50, WHITE), ...many(50, CLEAR))
    expect(measureLogoContrast(logo, 'white')).toEqual({ share: 0, seen: false })
    expect(measureLogoContrast(logo, 'dark')).toEqual({ share: 1, seen: true })
  })

  test('a logo with small dark letters on white counts as visible on white, but a plain white picture does not', () => {
    expect(measureLogoContrast(points(...many(98, WHITE), ...many(2, BLACK)), 'white').seen).toBe(true)
    expect(measureLogoContrast(points(...many(100, WHITE)), 'white').seen).toBe(false)
  })

  test('a mostly pale logo counts as invisible on white, even if it has a small dark area', () => {
    const logo = points(...many(45, [250, 250, 210, 255]), ...many(5, BLACK), ...many(50, CLEAR))
    expect(measureLogoContrast(logo, 'white')).toEqual({ share: 0.1, seen: false })
  })

  test('a fully transparent or empty logo counts as invisible', () => {
    expect(measureLogoContrast(points(...many(9, CLEAR)), 'white')).toEqual({ share: 0, seen: false })
    expect(measureLogoContrast(new Uint8Array(), 'dark')).toEqual({ share: 0, seen: false })
  })

  test("a logo in the background's colour counts as invisible, but every colour is visible on one of the two backgrounds", () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.constantFrom('white', 'dark'), fc.integer({ min: 1, max: 40 }), (ground, n) => {
        const [r, g, b] = LOGO_BACKGROUNDS[ground]
        expect(measureLogoContrast(points(...many(n, [r, g, b, 255])), ground).share).toBe(0)
      }),
    )
    fc.assert(
      fc.property(byte, byte, byte, (r, g, b) => {
        const one = points([r, g, b, 255])
        expect(measureLogoContrast(one, 'white').seen || measureLogoContrast(one, 'dark').seen).toBe(true)
      }),
    )
  })
})
