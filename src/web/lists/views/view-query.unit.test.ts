import { describe, expect, it } from 'vitest'
import { isBare, searchForView, viewQuery } from './view-query.ts'

const KEYS = ['page', 'q', 'order', 'state']
const at = (s: string) => new URLSearchParams(s)

describe('what a saved view keeps of an address', () => {
  it('is filters, order and columns, in one order, without the page and without what is not the list’s', () => {
    expect(viewQuery(at('state=open&page=3&open=12&q=a b&view=4&columns=name,city'), KEYS)).toBe(
      'columns=name%2Ccity&q=a+b&state=open',
    )
  })

  it('is what was said, empty words too: they show what is usually left out', () => {
    expect(viewQuery(at('state='), KEYS)).toBe('state=')
  })
})

describe('the address of a view', () => {
  it('shows what it keeps and nothing else of the list, and leaves what is not the list’s', () => {
    const view = { id: 4, query: 'state=open&columns=name' }
    expect(searchForView(at('q=x&page=2&open=12'), KEYS, view).toString()).toBe(
      'open=12&state=open&columns=name&view=4',
    )
    expect(searchForView(at('state=open&view=4&open=12'), KEYS, undefined).toString()).toBe('open=12')
  })

  it('takes nothing from a view but what the list knows', () => {
    expect(searchForView(at(''), KEYS, { id: 1, query: 'workAs=3&q=x' }).toString()).toBe('q=x&view=1')
  })
})

it('an address is bare that says nothing about the list', () => {
  expect(isBare(at('open=12'), KEYS)).toBe(true)
  for (const said of ['page=2', 'view=1', 'columns=a', 'state=']) expect(isBare(at(said), KEYS)).toBe(false)
})
