import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupParts } from './groups.ts'
import type { Part } from './parts.ts'

const part = (more: Partial<Part>): Part => ({
  modules: [],
  size: 1000,
  needs: [],
  begins: undefined,
  isFirst: false,
  isEarly: false,
  ...more,
})

/** Whether files need one another in a circle. */
function hasCircle(groups: readonly (readonly number[])[], parts: readonly Part[]): boolean {
  const groupOf = new Map(groups.flatMap((group, g) => group.map((n) => [n, g] as const)))
  const open = new Set<number>()
  const done = new Set<number>()
  const visit = (g: number): boolean => {
    if (done.has(g)) return false
    if (open.has(g)) return true
    open.add(g)
    const next = new Set((groups[g] ?? []).flatMap((n) => parts[n]?.needs ?? []).map((n) => groupOf.get(n)))
    next.delete(g)
    next.delete(undefined)
    const found = [...next].some((to) => visit(to as number))
    open.delete(g)
    done.add(g)
    return found
  }
  return groups.some((_, g) => visit(g))
}

describe('parts are put together', () => {
  it('where a page needs both', () => {
    const parts = [part({ begins: 'list', needs: [1, 2] }), part({}), part({})]
    expect(groupParts(parts, [{ modules: ['list'], weight: 1 }])).toEqual([[0, 1, 2]])
  })

  it('and what only one of two pages needs is not sent with the other, when it is large', () => {
    const parts = [
      part({ begins: 'list', needs: [2] }),
      part({ begins: 'editor', needs: [2], size: 500_000 }),
      part({}),
    ]
    const openings = ['list', 'editor'].map((name) => ({ modules: [name], weight: 1 }))
    expect(groupParts(parts, openings).find((group) => group.includes(1))).toEqual([1])
  })

  it('but never what comes with every page', () => {
    const parts = [part({ begins: 'list', needs: [1] }), part({ isFirst: true })]
    expect(groupParts(parts, [{ modules: ['list'], weight: 1 }])).toEqual([[0]])
  })

  it('and files never need one another in a circle, and none is lost', () => {
    const someParts = fc
      .array(fc.record({ size: fc.integer({ min: 1, max: 60_000 }), needs: fc.array(fc.nat(30)) }), {
        minLength: 2,
        maxLength: 24,
      })
      // A part needs only later ones.
      .map((all) =>
        all.map((one, n) => part({ ...one, needs: one.needs.filter((m) => m > n && m < all.length), begins: `${n}` })),
      )
    fc.assert(
      fc.property(
        someParts,
        fc.array(fc.array(fc.nat(23), { minLength: 1 }), { minLength: 1, maxLength: 8 }),
        (parts, pages) => {
          const openings = pages.map((page) => ({ modules: page.map(String), weight: 1 }))
          const groups = groupParts(parts, openings)
          expect(groups.flat().toSorted((a, b) => a - b)).toEqual(parts.map((_, n) => n))
          expect(hasCircle(groups, parts)).toBe(false)
        },
      ),
      { numRuns: 60 },
    )
  })
})
