import { describe, expect, it } from 'vitest'
import { listUrlSchema, retiredFilterSchema } from './list-state.ts'
import { changeListState, nextSortOrder, readUrlState, sortOrderParams, writeUrlState } from './url-state.ts'

const schema = listUrlSchema({ retired: retiredFilterSchema })
const read = (s: string) => readUrlState(schema, new URLSearchParams(s))

describe('the state of a list in the URL', () => {
  it('the state of a list has defaults if the URL has no parameters', () =>
    expect(read('')).toEqual({ page: 1, order: '', q: '', retired: 'false' }))

  it('the state of a list is read from the URL, ignoring invalid values', () => {
    expect(read('page=3&q=acme&order=-name&other=1')).toEqual({ page: 3, order: '-name', q: 'acme', retired: 'false' })
    expect(read('page=-1&retired=perhaps&q=x')).toEqual({ page: 1, order: '', q: 'x', retired: 'false' })
  })

  it('the URL of a list omits defaults and retains unrelated parameters', () => {
    const state = { ...read('page=2'), q: 'a b', retired: 'true' as const }
    expect(writeUrlState(schema, new URLSearchParams('client=7&page=9'), state).toString()).toBe(
      'client=7&page=2&q=a+b&retired=true',
    )
    expect(writeUrlState(schema, new URLSearchParams('page=9&q=x'), read('')).toString()).toBe('')
  })

  it("the removal of a default filter is stored in the list's URL", () => {
    const off = writeUrlState(schema, new URLSearchParams(), { ...read(''), retired: '' })
    expect(off.toString()).toBe('retired=')
    expect(readUrlState(schema, off).retired).toBe('')
  })

  it('changing the state of a list returns to the first page, unless the page itself is changed', () => {
    expect(changeListState(read('page=4'), { q: 'x' }).page).toBe(1)
    expect(changeListState(read('page=4&q=x'), { page: 5 })).toMatchObject({ page: 5, q: 'x' })
  })
})

describe('the sort order of a list', () => {
  it('the sort order of a list cycles through ascending, descending and default', () => {
    expect(nextSortOrder('', 'name')).toBe('name')
    expect(nextSortOrder('name', 'name')).toBe('-name')
    expect(nextSortOrder('-name', 'name')).toBe('')
    expect(nextSortOrder('-name', 'city')).toBe('city')
  })

  it('the sort order of a list is sent as order[field]', () => {
    expect(sortOrderParams('-name')).toEqual({ 'order[name]': 'desc' })
    expect(sortOrderParams('name')).toEqual({ 'order[name]': 'asc' })
    expect(sortOrderParams('')).toEqual({})
  })
})
