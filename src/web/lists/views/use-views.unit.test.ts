import { describe, expect, it } from 'vitest'
import { buildViewQuery, buildViewSearch, hasNoListParams } from './use-views.ts'

const KEYS = ['page', 'q', 'order', 'state']
const at = (s: string) => new URLSearchParams(s)

describe('the query stored in a saved view', () => {
  it('the query of a saved view contains only filters, order and columns, in a fixed order', () => {
    expect(buildViewQuery(at('state=open&page=3&open=12&q=a b&view=4&columns=name,city'), KEYS)).toBe(
      'columns=name%2Ccity&q=a+b&state=open',
    )
  })

  it('the query of a saved view includes empty values, which show records that are hidden by default', () => {
    expect(buildViewQuery(at('state='), KEYS)).toBe('state=')
  })
})

describe('the URL of a saved view', () => {
  it("the URL of a saved view has only the view's stored parameters, and retains unrelated ones", () => {
    const view = { id: 4, query: 'state=open&columns=name' }
    expect(buildViewSearch(at('q=x&page=2&open=12'), KEYS, view).toString()).toBe(
      'open=12&state=open&columns=name&view=4',
    )
    expect(buildViewSearch(at('state=open&view=4&open=12'), KEYS, undefined).toString()).toBe('open=12')
  })

  it('the URL of a saved view omits stored parameters that the list does not have', () => {
    expect(buildViewSearch(at(''), KEYS, { id: 1, query: 'workAs=3&q=x' }).toString()).toBe('q=x&view=1')
  })
})

it('a URL that has no list parameters is recognised', () => {
  expect(hasNoListParams(at('open=12'), KEYS)).toBe(true)
  for (const said of ['page=2', 'view=1', 'columns=a', 'state=']) expect(hasNoListParams(at(said), KEYS)).toBe(false)
})
