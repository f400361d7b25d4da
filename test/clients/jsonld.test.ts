import jsonld from 'jsonld'
import { expect, test } from 'vitest'
import { startClientWorld } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: expanded JSON-LD
type Json = any
const { origin, headers, contacts } = await startClientWorld()
const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const VOCAB = `${origin}/api/docs.jsonld#`

/** Fetches contexts without a token, as a JSON-LD processor does. */
const documentLoader = async (url: string) => {
  const answer = await fetch(url, { headers: { Accept: 'application/ld+json, application/json' } })
  if (!answer.ok) throw new Error(`${answer.status} for ${url}`)
  return { contextUrl: undefined, documentUrl: url, document: (await answer.json()) as Json }
}
const load = async (path: string) => {
  const answer = await fetch(`${origin}${path}`, { headers })
  return { body: (await answer.json()) as Json, base: `${origin}${path}` }
}
const expand = async (path: string): Promise<Json[]> => {
  const { body, base } = await load(path)
  return jsonld.expand(body, { base, documentLoader } as Json)
}

test("a JSON-LD item expands to terms of the portal's vocabulary, with relations as IRIs", async () => {
  await fetch(`${origin}${contacts[0]}`, {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/ld+json' },
    body: JSON.stringify({ cameFrom: '/api/crm/came_froms/1', businessType: '/api/crm/business_types/1' }),
  })
  const [item] = await expand(contacts[0] as string)
  expect(item['@id']).toBe(`${origin}${contacts[0]}`)
  expect(item['@type']).toEqual([`${VOCAB}Contact`])
  expect(item[`${VOCAB}Contact/companyName`]).toEqual([{ '@value': 'Company 01' }])
  expect(item[`${VOCAB}Contact/ir35`]).toEqual([{ '@value': false }])
  expect(item[`${VOCAB}Contact/cameFrom`]).toEqual([{ '@id': `${origin}/api/crm/came_froms/1` }])
  expect(item[`${VOCAB}Contact/businessType`][0]).toMatchObject({
    '@id': `${origin}/api/crm/business_types/1`,
    '@type': [`${VOCAB}BusinessType`],
  })
})

test('a JSON-LD list expands to its members, total, and page links as IRIs', async () => {
  const [list] = await expand('/api/crm/contacts?itemsPerPage=10&page=2')
  expect(list).toMatchObject({ '@id': `${origin}/api/crm/contacts`, '@type': [`${HYDRA}Collection`] })
  expect(list[`${HYDRA}totalItems`]).toEqual([{ '@value': 40 }])
  expect(list[`${HYDRA}member`]).toHaveLength(10)
  for (const m of list[`${HYDRA}member`]) expect(m['@id']).toMatch(new RegExp(`^${origin}/api/crm/contacts/\\d+$`))
  const [view] = list[`${HYDRA}view`]
  expect(view['@type']).toEqual([`${HYDRA}PartialCollectionView`])
  for (const [link, page] of [
    ['first', 1],
    ['previous', 1],
    ['next', 3],
    ['last', 4],
  ] as const)
    expect(view[`${HYDRA}${link}`]).toEqual([{ '@id': `${origin}/api/crm/contacts?itemsPerPage=10&page=${page}` }])
  expect(list[`${HYDRA}search`][0][`${HYDRA}template`]).toHaveLength(1)
})

test('a flattened JSON-LD page contains the leads, the view and the search as separate nodes', async () => {
  const { body, base } = await load('/api/crm/contacts?itemsPerPage=5')
  const flat = (await jsonld.flatten(body, undefined, { base, documentLoader } as Json)) as Json[]
  const typed = (type: string) => flat.filter((n) => n['@type']?.includes(type))
  expect(typed(`${VOCAB}Contact`)).toHaveLength(5)
  expect(typed(`${HYDRA}Collection`)).toHaveLength(1)
  expect(typed(`${HYDRA}IriTemplate`)).toHaveLength(1)
})

test('the entrypoint links to each list by the property that the documentation describes', async () => {
  const [entrypoint] = await expand('/api')
  const [docs] = await expand('/api/docs.jsonld')
  const classes: Json[] = docs[`${HYDRA}supportedClass`]
  const own = classes.find((c) => c['@id'] === entrypoint['@type'][0])
  for (const p of own[`${HYDRA}supportedProperty`]) {
    const property = p[`${HYDRA}property`][0]
    expect(entrypoint[property['@id']][0]['@id'], property['@id']).toMatch(new RegExp(`^${origin}/api/\\w+/\\w+$`))
    expect(property['@type']).toEqual([`${HYDRA}Link`])
  }
  expect(entrypoint[`${VOCAB}Entrypoint/contact`]).toEqual([{ '@id': `${origin}/api/crm/contacts` }])
})

test('JSON-LD records use exactly the documented classes and properties', async () => {
  const [docs] = await expand('/api/docs.jsonld')
  expect(docs['@type']).toEqual([`${HYDRA}ApiDocumentation`])
  expect(docs[`${HYDRA}entrypoint`]).toHaveLength(1)
  const contact = docs[`${HYDRA}supportedClass`].find((c: Json) => c['@id'] === `${VOCAB}Contact`)
  const described = contact[`${HYDRA}supportedProperty`].map((p: Json) => p[`${HYDRA}property`][0]['@id'])
  const [item] = await expand(contacts[1] as string)
  // Every record has an `id`, the number from its URL. The API documentation describes all other properties.
  const sent = Object.keys(item).filter((k) => !k.startsWith('@') && k !== `${VOCAB}id`)
  expect(described).toEqual(expect.arrayContaining(sent))
  const operation = contact[`${HYDRA}supportedOperation`][0]
  expect(operation[`${HYDRA}returns`]).toEqual([{ '@id': `${VOCAB}Contact` }])
})

test("a JSON-LD error expands to violations in the portal's vocabulary", async () => {
  const answer = await fetch(`${origin}/api/crm/contacts`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/ld+json' },
    body: '{}',
  })
  const [error] = (await jsonld.expand(
    (await answer.json()) as Json,
    { base: answer.url, documentLoader } as Json,
  )) as Json[]
  expect(error['@type']).toEqual([`${VOCAB}ConstraintViolationList`])
  expect(error[`${VOCAB}violations`][0][`${VOCAB}propertyPath`]).toEqual([{ '@value': 'companyName' }])
  expect(error[`${HYDRA}description`][0]['@value']).toMatch(/companyName/)
})
