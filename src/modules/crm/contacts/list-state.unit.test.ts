import { expect, it } from 'vitest'
import { queryString } from '#web/api/client.ts'
import { DEFAULT_LEAD_LIST, leadListParams, parseLeadListState, serialiseLeadListState } from './list-state.web.ts'

const now = Temporal.Instant.from('2026-07-20T21:30:10Z')
const asked = (address: string) =>
  decodeURIComponent(queryString(leadListParams(parseLeadListState(new URLSearchParams(address)), 7, now)))

it("the URL contains the lead list's state without default values", () => {
  expect(serialiseLeadListState(DEFAULT_LEAD_LIST)).toBe('')
  const address =
    'category=CB&owner=mine&due=overdue&type=12&import=3&order=-companyName&page=3&columns=name%2Ccity&view=7'
  expect(serialiseLeadListState(parseLeadListState(new URLSearchParams(address)))).toBe(address)
})

it('a search covers the selected category, or all leads if none is selected', () => {
  expect(parseLeadListState(new URLSearchParams('category=CB&q=acme')).tab).toBe('CB')
  expect(asked('category=CB&q=acme')).toBe('?retired=false&q=acme&lastResult.category=CB&order[callbackDate]=asc')
  expect(parseLeadListState(new URLSearchParams('q=acme')).tab).toBe('SEARCH')
  expect(asked('q=acme')).toBe('?retired=false&q=acme&order[callbackDate]=asc')
})

it("invalid values in the lead list's URL are ignored", () =>
  expect(parseLeadListState(new URLSearchParams('category=X&due=never&order=1)&page=-4&type=a'))).toEqual(
    DEFAULT_LEAD_LIST,
  ))

it.each([
  ['category=NEW&owner=none', '?retired=false&lastResult.category=NEW&exists[owner]=false&order[callbackDate]=asc'],
  ['category=IR35&owner=mine', '?retired=false&ir35=true&owner.user=7&order[callbackDate]=asc'],
  ['due=overdue', '?retired=false&callbackDate[lte]=1784583300&order[callbackDate]=asc'],
  // The timestamp is one second before 23:00 UTC, because midnight in London is 23:00 UTC in summer.
  ['due=today', '?retired=false&callbackDate[lte]=1784588399&order[callbackDate]=asc'],
  ['import=3', '?retired=false&importBatch=3&order[callbackDate]=asc'],
  ['order=-owner.name', '?retired=false&order[owner.name]=desc'],
])('the lead list URL %s requests %s from the API', (address, api) => expect(asked(address)).toBe(api))
