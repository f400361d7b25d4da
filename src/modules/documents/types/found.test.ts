import { beforeAll, describe, expect, test } from 'vitest'
import { comparableFieldSql } from '#server/data/filters.ts'
import { ASSESSMENTS_URL, type AssessmentHelpers, makeAssessments } from '#test/support/assessments.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let made: AssessmentHelpers

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
  await made.draft({ description: 'Roof', project: 'Kelham Works', location: 'Sheffield', jobNumber: 'J-100%' })
  await made.draft({ description: 'Trench', project: 'Attercliffe', location: 'Sheffield', jobNumber: 'J-200' })
  await made.draft({ description: 'Hoist', project: 'Kelham Island', location: 'Bath', mainContractor: 'Ashby' })
})

const found = async (query: string) => {
  const answer = await made.author.get(`${ASSESSMENTS_URL}?${query}&client=${made.client.id}`)
  expect(answer.status).toBe(200)
  return answer.body['hydra:member'].map((d: { description: string }) => d.description)
}

describe('list filters and search on form fields', () => {
  test.each([
    ['part of a word', 'project=kelham', ['Hoist', 'Roof']],
    ['several', 'location[]=bath&location[]=nowhere', ['Hoist']],
    ['a wildcard character', 'jobNumber=100%25', ['Roof']],
    ['a filter for an empty field', 'exists[jobNumber]=false', ['Hoist']],
    ['words from different fields', 'q=kelham%20sheffield', ['Roof']],
    ["a contractor's name", 'q=ashby', ['Hoist']],
    ['one sort field', 'order[project]=asc', ['Trench', 'Hoist', 'Roof']],
    ['two sort fields', 'order[location]=desc&order[jobNumber]=desc', ['Trench', 'Roof', 'Hoist']],
  ])('a list query with %s returns the right documents', async (_, query, titles) => {
    expect(await found(query)).toEqual(titles)
  })

  test('the list of all documents can also be searched by form fields', async () => {
    const answer = await made.author.get('/api/safety/documents?q=attercliffe')
    expect(answer.body['hydra:member'].map((d: { title: string }) => d.title)).toEqual(['Trench'])
  })
})

test('authors can find rejected documents, and counts and exports match the list', async () => {
  const rejected = await made.draft({ description: 'Chimney' })
  await made.author.post(`${rejected['@id']}/complete`)
  await made.author.post(`${rejected['@id']}/reject`, { note: 'No rescue plan' })
  const gone = await made.draft({ description: 'Chimney stack' })
  await made.author.put(gone['@id'], { retired: true })
  expect(await found('q=chimney&deleted=false')).toEqual(['Chimney'])
  expect(await found('q=chimney&deleted=true')).toEqual(['Chimney stack'])
  const all = await made.author.get('/api/safety/documents?q=chimney&deleted=false&isTemplate=false')
  expect(all.body['hydra:member'].map((d: { title: string }) => d.title)).toEqual(['Chimney'])
  const counts = await made.author.get(`${ASSESSMENTS_URL}/counts?by=state&q=chimney&deleted=false&isTemplate=false`)
  expect(counts.body.counts.filter((c: { count: number }) => c.count)).toMatchObject([{ value: 'rejected', count: 1 }])
  const day = rejected.createdAt.slice(0, 10)
  expect(await found(`q=chimney&decidedAt[after]=${day}`)).toEqual(['Chimney'])
  const csv = await made.author.get(
    `${ASSESSMENTS_URL}/export.csv?q=chimney&isTemplate=false&columns=description,standing,author,endedBy,decidedAt`,
  )
  const lines = csv.text.trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines.slice(1).join()).toMatch(/Chimney,Rejected,Ada Admin,Ada Admin,\d\d\//)
  expect(lines.slice(1).join()).toContain('Chimney stack,Deleted,Ada Admin,Ada Admin,')
})

test('JSON values of an unexpected type are compared as the declared field type', async () => {
  const fields = {
    n: { kind: 'decimal', inJson: 'content' },
    yes: { kind: 'flag', inJson: 'content' },
    tags: { kind: 'strings', inJson: 'content' },
    words: { kind: 'text', inJson: 'content' },
  } as const
  const select = Object.keys(fields).map((name) => `${comparableFieldSql({ fields, columns: {} }, name)} AS ${name}`)
  const look = (content: object) =>
    portal.db.read.rows(`SELECT ${select.join(', ')} FROM (SELECT $1::jsonb AS content) t`, [JSON.stringify(content)])
  expect(await look({ n: 1.5, yes: true, tags: ['a', 'b'], words: 'x' })).toEqual([
    { n: 1.5, yes: true, tags: ['a', 'b'], words: 'x' },
  ])
  expect(await look({ n: 'many', yes: 'true', tags: 'a', words: null })).toEqual([
    { n: null, yes: false, tags: [], words: null },
  ])
})
