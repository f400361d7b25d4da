import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { addOptimistically, changeOptimistically } from './optimistic.ts'

const TALKS = { url: '/api/safety/toolbox_talks' }
interface Talk {
  readonly '@id': string
  readonly state: string
}
const talk = (id: number, state = 'complete'): Talk => ({ '@id': `${TALKS.url}/${id}`, state })
const list = (...talks: readonly Talk[]) => ({ 'hydra:member': talks, 'hydra:totalItems': talks.length })
const LIST = [TALKS.url, 'list', { state: 'complete' }]
const ONE_TALK_KEY = [TALKS.url, 'one', { id: 1 }]

function shown() {
  const queries = new QueryClient()
  queries.setQueryData(LIST, list(talk(1), talk(2)))
  queries.setQueryData(ONE_TALK_KEY, talk(1))
  return queries
}
const approve = (queries: QueryClient) =>
  changeOptimistically<Talk>(queries, TALKS, (one, { state }) =>
    one['@id'] !== talk(1)['@id'] ? one : state === 'complete' ? undefined : { ...one, state: 'current' },
  )

test('an optimistic change updates a record in every list, and removes it from lists whose filter it no longer matches', () => {
  const queries = shown()
  approve(queries)
  expect(queries.getQueryData(ONE_TALK_KEY)).toEqual(talk(1, 'current'))
  expect(queries.getQueryData(LIST)).toEqual(list(talk(2)))
})

test('a rejected optimistic change restores the previous data', () => {
  const queries = shown()
  approve(queries)()
  expect(queries.getQueryData(ONE_TALK_KEY)).toEqual(talk(1))
  expect(queries.getQueryData(LIST)).toEqual(list(talk(1), talk(2)))
})

test('a rejected optimistic change retains newer data from the server', () => {
  const queries = shown()
  const takeBack = approve(queries)
  queries.setQueryData(ONE_TALK_KEY, talk(1, 'rejected'))
  takeBack()
  expect(queries.getQueryData(ONE_TALK_KEY)).toEqual(talk(1, 'rejected'))
})

test('an optimistically added record is appended to, and counted in, each list whose filter it matches', () => {
  const queries = shown()
  const takeBack = addOptimistically(queries, TALKS, talk(3), ({ state }) => state === 'complete')
  expect(queries.getQueryData(LIST)).toEqual(list(talk(1), talk(2), talk(3)))
  takeBack()
  expect(queries.getQueryData(LIST)).toEqual(list(talk(1), talk(2)))
  addOptimistically(queries, TALKS, talk(4), () => false)
  expect(queries.getQueryData(LIST)).toEqual(list(talk(1), talk(2)))
})
