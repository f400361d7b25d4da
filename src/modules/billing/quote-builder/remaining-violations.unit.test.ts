import { expect, test } from 'vitest'
import { violation } from '#kernel/errors.ts'
import { QUOTE_LINE_LIST_NAMES } from '../lines/lines.ts'
import { findQuoteCouponProblem } from './draft.web.ts'
import { remainingViolations } from './remaining-violations.web.ts'

const [list] = QUOTE_LINE_LIST_NAMES
const none = Object.fromEntries(QUOTE_LINE_LIST_NAMES.map((name) => [name, []])) as never
const line = (key: string, unitAmount: number | null) => ({ key, description: key, unitAmount })
const draft = (lines: readonly object[], more: object = {}) =>
  ({ ...(none as object), [list]: lines, ...more }) as never
const said = [
  violation(`${list}[1].unitAmount`, 'Please enter the unit price'),
  violation('emailTo', 'Not an address'),
  violation(list, 'Something of the list'),
]
const refused = draft([line('a', 100), line('b', null)], { emailTo: 'x' })
const left = (now: never) => remainingViolations(said, refused, now).map((v) => v.propertyPath)

test("a quote's form error disappears only when its field is changed", () => {
  expect(left(refused)).toEqual([`${list}[1].unitAmount`, 'emailTo', list])
  expect(left(draft([line('a', 100), line('b', 250)], { emailTo: 'x' }))).toEqual(['emailTo'])
  expect(left(draft([line('a', 100), line('b', null)], { emailTo: 'x@y.example' }))).toEqual([
    `${list}[1].unitAmount`,
    list,
  ])
})

test("a quote line's errors move with the line and disappear when the line is removed", () => {
  expect(left(draft([line('b', null), line('a', 100)], { emailTo: 'x' }))).toEqual([`${list}[0].unitAmount`, 'emailTo'])
  expect(left(draft([line('a', 100)], { emailTo: 'x' }))).toEqual(['emailTo'])
})

test('the quote builder says why a coupon takes nothing off the quote', () => {
  const coupon = { name: 'Yearly', percentOff: 10, amountOff: null, currency: 'GBP', plans: ['/api/financial/plans/2'] }
  const line = (plan: string) => ({ key: plan, description: 'Plan', quantity: 1, unitAmount: 100, plan }) as never
  const on = (...plans: string[]) => ({ plans: plans.map(line), skus: [], additionalItems: [] })
  expect(findQuoteCouponProblem(coupon, on(), 'GBP')).toBeUndefined()
  expect(findQuoteCouponProblem(coupon, on('/api/financial/plans/2'), 'GBP')).toBeUndefined()
  expect(findQuoteCouponProblem(coupon, on('/api/financial/plans/1'), 'GBP')).toContain(
    'doesn’t apply to any of these plans',
  )
})
