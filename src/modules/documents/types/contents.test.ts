import { beforeAll, describe, expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import type { Resource } from '#kernel/resource.ts'
import { safetyModule } from '#modules/safety/module.server.ts'
import { ASSESSMENTS_URL, type AssessmentHelpers, makeAssessments, makeHazards } from '#test/support/assessments.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let made: AssessmentHelpers
const ALL = '/api/safety/documents'

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
})

interface Listed {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly found: { label: string; pieces: { text: string; found: boolean }[] } | null
}

async function search(api: TestApi, q: string, more = '', url = ALL): Promise<Listed[]> {
  const answer = await api.get(`${url}?q=${encodeURIComponent(q)}&isTemplate=false${more}`)
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()])
  return answer.body['hydra:member']
}
const titles = async (api: TestApi, q: string, more = '', url = ALL) =>
  (await search(api, q, more, url)).map((d) => d.title ?? d.description)
const shown = ({ found }: Listed) =>
  found && `${found.label}: ${found.pieces.map((p) => (p.found ? `[${p.text}]` : p.text)).join('')}`

describe('matching', () => {
  let number = ''
  beforeAll(async () => {
    const first = await made.draft({
      description: 'Stripping the library',
      controls: makeHazards('Asbestos-containing materials'),
      siteAddress: 'Café Zoë, O’Brien’s Yard\nŁódź Street',
      equipment: 'Two hazardous-dust extractors',
      firstAider: 'Bethan Davies',
    })
    number = first.documentNumber
  })

  test.each([
    ['a hazard', 'asbestos'],
    ['the beginning of the last word', 'asbes'],
    ['another ending of a word', 'contained material'],
    ['a longer ending while typing', 'hazardousl', false],
    ['a word cut at its ending', 'hazardou'],
    ['words of different parts', 'library asbestos'],
    ['a word in another ending of the title', 'libraries'],
    ['text without accents', 'cafe zoe'],
    ['text with accents', 'CAFÉ łódź'],
    ['a name without its apostrophe', 'obriens'],
    ['a name with a straight apostrophe', "O'Brien's"],
    ['an answer', 'bethan davies'],
    ['a control', 'guard rails'],
    ['the author’s name', 'ada admin asbestos'],
    ['a word that occurs nowhere beside one that does', 'asbestos nowhere', false],
    ['the middle of a word', 'bestos', false],
    ['stop words', 'the library'],
  ])('%s finds the document or not, as expected', async (_, q, expected = true) => {
    expect(await titles(made.author, q)).toEqual(expected ? ['Stripping the library'] : [])
    expect(await titles(made.author, q, '', ASSESSMENTS_URL)).toEqual(expected ? ['Stripping the library'] : [])
  })

  test('a document is found by its number, with and without zeros, hyphen and prefix', async () => {
    const [prefix, digits = ''] = number.split('-')
    const plain = String(Number(digits))
    for (const q of [
      number,
      number.toLowerCase(),
      `${prefix}${digits}`,
      `${prefix} ${plain}`,
      `${prefix}${plain}`,
      digits,
      plain,
    ])
      expect([q, await titles(made.author, q)]).toEqual([q, expect.arrayContaining(['Stripping the library'])])
  })

  test('a result shows the part in which the text occurs, and none if the title has it', async () => {
    const part = async (q: string) => (await search(made.author, q)).map(shown)
    expect(await part('asbestos')).toEqual(['Hazard: [Asbestos]-containing materials'])
    expect(await part('library asbes')).toEqual(['Hazard: [Asbestos]-containing materials'])
    expect(await part('obriens')).toEqual(['Site address: Café Zoë, [O’Brien’s] Yard'])
    expect(await part('lodz')).toEqual(['Site address: [Łódź] Street'])
    expect(await part('library')).toEqual([null])
    const [listed] = (await made.author.get(`${ALL}?isTemplate=false`)).body['hydra:member']
    expect(listed.found).toBeNull()
  })
})

test.each(["'", '%', '_', '\\', '"', "''; --", '*', ':*', '!', '&', '<->', '(', '\u0301', '🧯'])(
  'a search for %j finds nothing instead of failing',
  async (q) => expect(await titles(made.author, q)).toEqual([]),
)

test('a search for one letter finds it only as a word, and 5,000 letters find nothing', async () => {
  await made.draft({ description: 'Plan Q for the yard' })
  expect(await titles(made.author, 'q')).toEqual(['Plan Q for the yard'])
  expect(await titles(made.author, 'x'.repeat(5000))).toEqual([])
  expect(await titles(made.author, 'ab '.repeat(40))).toEqual([])
  expect((await made.author.get(`${ALL}?q=${'a+'.repeat(60)}`)).status).toBe(400)
})

test('a title with HTML is shown as text in pieces', async () => {
  await made.draft({ description: 'Plain', equipment: '<img src=x onerror=alert(1)> winchester' })
  const [one] = await search(made.author, 'winchester')
  expect(one?.found?.pieces).toContainEqual({ text: 'winchester', found: true })
})

test('the words follow every change of the document and its rows', async () => {
  const one = await made.draft({ description: 'Quarry', controls: makeHazards('Rockfall') })
  expect(await titles(made.author, 'rockfall')).toEqual(['Quarry'])
  await made.author.put(one['@id'], { controls: makeHazards('Subsidence') })
  expect([await titles(made.author, 'rockfall'), await titles(made.author, 'subsidence')]).toEqual([[], ['Quarry']])
  await made.author.patch(one['@id'], { description: 'Gravel pit' })
  expect([await titles(made.author, 'quarry'), await titles(made.author, 'gravel')]).toEqual([[], ['Gravel pit']])
  await made.inForce(one)
  await made.act(one, 'revise', { reason: 'New face' })
  expect(await titles(made.author, 'subsidence')).toHaveLength(2)
})

test("documents are found by their author's current name: those saved since the change at once, all others soon", async () => {
  const client = await portal.client()
  const user = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Mary Shelley' })
  const api = client.as(user)
  const found = async (q: string) => (await titles(api, q, '&itemsPerPage=100')).toSorted()
  // More than are entered in the search at a time.
  const former = Array.from({ length: 52 }, (_, i) => `Laboratory ${i + 10}`)
  for (const description of former) await api.post(ASSESSMENTS_URL, { description })
  expect(await found('shelley')).toEqual(former)
  await api.put(user.iri, { name: 'Mary Godwin' })
  await api.post(ASSESSMENTS_URL, { description: 'Written since' })
  expect([await found('shelley'), await found('godwin')]).toEqual([former, ['Written since']])
  await portal.drain()
  expect([await found('shelley'), await found('godwin')]).toEqual([[], [...former, 'Written since']])
})

test('a document with more words than the search can hold is saved, and found by its title and first words', async () => {
  const lines = Array.from({ length: 3000 }, (_, i) =>
    Array.from({ length: 50 }, (__, n) => `word${i}x${n}long`).join(' '),
  )
  const large = await made.draft({ description: 'Encyclopaedia' })
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `UPDATE document SET content = content || jsonb_build_object('note', $1::text) WHERE client_id = $2 AND id = $3`,
      [lines.join('\n'), made.client.id, large.id],
    ),
  )
  const searched = ['encyclopaedia', 'word0x0long', 'word2999x49long']
  expect(await Promise.all(searched.map((q) => titles(made.author, q)))).toEqual([
    ['Encyclopaedia'],
    ['Encyclopaedia'],
    [],
  ])
})

test('results are ranked by title, hazard and other text, on every page, unless another order is chosen', async () => {
  const client = await portal.client()
  const api = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const add = (description: string, more = {}) => api.post(ASSESSMENTS_URL, { description, ...more })
  await add('Legionella control')
  await add('Cooling tower', { controls: makeHazards('Legionella in droplets') })
  await add('Boiler house', { equipment: 'Legionella test kit' })
  for (let n = 1; n <= 3; n++) await add(`Office ${n}`, { equipment: 'Legionella test kit' })
  const ranked = ['Legionella control', 'Cooling tower', 'Office 3', 'Office 2', 'Office 1', 'Boiler house']
  expect(await titles(api, 'legionella')).toEqual(ranked)
  expect(await titles(api, 'legionella', '&partial=true')).toEqual(ranked)
  const pages = [1, 2, 3].map((page) => titles(api, 'legionella', `&itemsPerPage=2&page=${page}`, ASSESSMENTS_URL))
  expect((await Promise.all(pages)).flat()).toEqual(ranked)
  expect(await titles(api, 'legionella', '&order[title]=asc')).toEqual(ranked.toSorted())
  const csv = await api.get(`${ASSESSMENTS_URL}/export.csv?q=legionella&isTemplate=false&columns=description`)
  expect(csv.text.trim().split('\r\n').slice(1)).toEqual(ranked)
})

describe('readers', () => {
  beforeAll(async () => {
    const controls = makeHazards('Beryllium dust')
    await made.draft({ description: 'Draft of foundry', controls })
    await made.inForce(await made.draft({ description: 'Foundry', controls }))
    const own = await made.draft({ description: 'Foundry for management', controls })
    await made.author.put(own['@id'], { audience: ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'] })
    await made.inForce(own)
    const gone = await made.draft({ description: 'Withdrawn foundry', controls })
    await made.inForce(gone)
    await made.author.post(`${gone['@id']}/withdraw`, { note: 'Closed' })
  })
  const EVERYTHING = ['Draft of foundry', 'Foundry', 'Foundry for management', 'Withdrawn foundry']
  const sorted = async (api: TestApi, q = 'beryllium') => (await titles(api, q)).toSorted()

  test('a search finds by content exactly what its reader may read', async () => {
    const author = made.client.as(await made.client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    expect(await sorted(made.author)).toEqual(EVERYTHING)
    expect(await sorted(made.worker)).toEqual(['Foundry'])
    expect(await sorted(author)).toEqual(['Foundry', 'Withdrawn foundry'])
    expect((await made.worker.get(`${ALL}?q=beryllium`)).body['hydra:totalItems']).toBe(1)
  })

  test('other companies and resellers find nothing of it', async () => {
    const other = await portal.client()
    const reseller = await portal.client({ isReseller: true })
    const theirs = await portal.client({ resellerId: reseller.id })
    const found = (api: TestApi) => titles(api, 'beryllium')
    expect(await found(other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] })))).toEqual([])
    expect(await found(theirs.as(await theirs.user({ roles: ['ROLE_CLIENT_ADMIN'] })))).toEqual([])
    const answer = await reseller.as(await reseller.user({ roles: ['ROLE_RESELLER'] })).get(`${ALL}?q=beryllium`)
    expect(answer.body['hydra:member'] ?? []).toEqual([])
    expect((await portal.anonymous.get(`${ALL}?q=beryllium`)).status).toBe(401)
  })

  test('consultants find the documents of clients, but see of their content only in which part the words occur', async () => {
    const staff = portal.provider.as(
      await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'], username: 'search.consultant' }),
    )
    const found = await search(staff, 'beryllium', `&client=${made.client.id}`)
    expect(found.map((d) => d.title).toSorted()).toEqual(EVERYTHING)
    expect(new Set(found.map(shown))).toEqual(new Set(['Hazard: ']))
  })
})

test('a document with more words than a search index can hold is saved, and found by its title and hazards', async () => {
  const { id } = await made.draft({ description: 'Endless survey', controls: makeHazards('Gallium spills') })
  const words = Array.from({ length: 40_000 }, (_, i) => `w${i}`.padEnd(50, 'x')).join(' ')
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE document SET content = content || jsonb_build_object('equipment', $2::text) WHERE id = $1", [
      id,
      words,
    ]),
  )
  expect(await titles(made.author, 'endless gallium')).toEqual(['Endless survey'])
})

test('a template is not found by the names of the provider’s own people', async () => {
  const [one] = await portal.db.tx('system', (tx) =>
    tx.rows<{ author: string; id: number }>(
      'SELECT id, author FROM document WHERE client_id = 0 AND current ORDER BY id LIMIT 1',
    ),
  )
  await portal.db.tx('system', async (tx) => {
    await tx.rows(
      'INSERT INTO user_account (client_id, username, name, roles) VALUES (0, $1, $2, $3) ON CONFLICT DO NOTHING',
      [one?.author, 'Penelope Hidden', '{}'],
    )
    await tx.rows('SELECT enter_document_words(0, ARRAY[$1::bigint])', [one?.id])
    const [entered] = await tx.rows<{ fields: string[] }>(
      'SELECT fields FROM document_words WHERE client_id = 0 AND document_id = $1',
      [one?.id],
    )
    expect(entered?.fields).not.toContain('people')
    expect(entered?.fields).toContain('title')
  })
})

/** Text fields that a search doesn't find, with the reasons. */
const NOT_FOUND: Readonly<Record<string, string>> = {
  audience: 'roles',
  readerGroup: 'a group of people, the same for every document of its type',
  copiedFrom: 'the name of another document, which not every reader may see',
  unconfirmed: 'names of fields',
  confirmed: 'marks of confirmation',
  matrix: 'a setting, which is the same in every assessment',
  ppe: 'numbers of equipment, whose names are in ppeItems',
  image: 'the address of a picture',
  completedBy: 'people are found as author and approver',
  lastEditBy: 'people are found as author and approver',
  endedBy: 'people are found as author and approver',
  reviewSetBy: 'people are found as author and approver',
  reviewAsked: 'a question about the document, removed after the review',
  seal: 'a digest',
  formDigest: 'a digest',
  parentDocumentNumber: 'the number of another document',
  riskDocumentNumber: 'the number of another document',
  riskAssessment: 'the address of another document',
  substanceNames: 'repeats the names of the substances',
  arrangement: 'the address of a library entry',
  'controls.documentNumber': 'repeats the number of the document',
  'controls.confirmedBy': 'a mark of confirmation',
  'substances.sheet': 'the address of a data sheet',
  'substances.pictograms': 'codes of pictures',
  'substances.routes': 'codes of options',
  'substances.proposal': 'derived by the portal',
  'substances.proposed': 'derived by the portal',
  'substances.confirmed': 'a mark of confirmation',
  'references.field': 'the name of a field',
  'references.digest': 'a digest',
}
const TEXTS = new Set<Field['kind']>(['text', 'longText', 'richText', 'strings'])
const FORM_TEXTS = new Set<FormField['kind']>([
  'text',
  'longText',
  'richText',
  'autocomplete',
  'combobox',
  'emergencyContacts',
])

test.each(safetyModule.kinds.map((kind) => [kind.kind, kind] as const))(
  'every text field of %s is found, or is listed with a reason',
  async (_, kind) => {
    const words: Record<string, string> = {}
    const word = (name: string) =>
      (words[name] = `zq${String.fromCharCode(97 + (Object.keys(words).length % 26))}${Object.keys(words).length}x`)
    const content: Record<string, unknown> = {}
    const columns: Record<string, unknown> = {}
    const tables: Record<string, Record<string, unknown>> = {}
    const value = (f: { readonly kind: string }, name: string) =>
      f.kind === 'strings' || f.kind === 'combobox'
        ? [word(name)]
        : f.kind === 'emergencyContacts'
          ? [{ name: word(name) }]
          : word(name)
    for (const f of formFieldsIn(kind.schema)) {
      if (f.kind === 'rows')
        content[f.name] = [
          Object.fromEntries(
            (f.fields ?? []).flatMap((g) => (FORM_TEXTS.has(g.kind) ? [[g.name, value(g, g.name)]] : [])),
          ),
        ]
      else if (FORM_TEXTS.has(f.kind) && f.name !== kind.title.field) content[f.name] = value(f, f.name)
    }
    for (const [name, f] of Object.entries<Field>(kind.resource.fields)) {
      const target = f.kind === 'rows' ? (f.target as () => Resource)() : undefined
      if (target) {
        const prefix = target.table === 'document_reference' ? 'references' : name
        tables[target.table] = Object.fromEntries(
          Object.entries<Field>(target.fields).flatMap(([inner, g]) =>
            TEXTS.has(g.kind) && target.columns[inner] ? [[target.columns[inner], value(g, `${prefix}.${inner}`)]] : [],
          ),
        )
      } else if (name in content) continue
      else if (f.kind === 'json' && f.inJson) content[name] = [{ text: word(name) }]
      else if (TEXTS.has(f.kind) && f.inJson) content[name] = value(f, name)
      else if (TEXTS.has(f.kind)) columns[kind.resource.columns[name] as string] = value(f, name)
    }
    const found = await portal.db.tx('owner', async (tx) => {
      const names = ['number', 'title', 'author', 'approved_by', 'decision_note']
      await tx.rows(
        `INSERT INTO user_account (client_id, username, name, roles) SELECT $1, x, x, '{}' FROM unnest($2::text[]) x ON CONFLICT DO NOTHING`,
        [made.client.id, [columns.author, columns.approved_by]],
      )
      const [doc] = await tx.rows<{ id: number }>(
        `INSERT INTO document (client_id, kind, content, ${names.join(', ')}) VALUES ($1, $2, $3::jsonb, ${names.map((_, n) => `$${n + 4}`).join(', ')}) RETURNING id`,
        [made.client.id, kind.kind, JSON.stringify(content), ...names.map((name) => columns[name])],
      )
      for (const [table, row] of Object.entries(tables)) {
        const { document_number: _, signal_word: signal, ...given } = row
        const target = table === 'document_reference' ? { target_id: doc?.id, target_client_id: made.client.id } : {}
        const cells = { ...given, ...target }
        const keys = Object.keys(cells)
        await tx.rows(
          `INSERT INTO ${table} (client_id, document_id, ${keys.join(', ')}) VALUES ($1, $2, ${keys.map((_, n) => `$${n + 3}`).join(', ')})`,
          [made.client.id, doc?.id, ...Object.values(cells)],
        )
        if (signal)
          await tx.rows(`UPDATE ${table} SET signal_word = $3 WHERE client_id = $1 AND document_id = $2`, [
            made.client.id,
            doc?.id,
            signal,
          ])
      }
      await tx.rows('SET CONSTRAINTS ALL IMMEDIATE')
      const [row] = await tx.rows<{ all: string[] }>(
        'SELECT tsvector_to_array(words) AS all FROM document_words WHERE client_id = $1 AND document_id = $2',
        [made.client.id, doc?.id],
      )
      return new Set(row?.all)
    })
    const missing = Object.entries(words).flatMap(([name, one]) => (found.has(one) ? [] : [name]))
    expect(missing.filter((name) => !(name in NOT_FOUND))).toEqual([])
  },
)

test('texts are compared in lower case, without accents and apostrophes, and stemmed', async () => {
  const [row] = await portal.db.read.rows(
    `SELECT plain_words('Café O’Brien''s m² – RA-0009') AS plain, plain_words('ŁÓDŹ Straße') AS others, plain_words('%''_') AS signs,
       words_query('Workers’ ladder', true)::text AS query, words_query('a', true)::text AS letter`,
  )
  expect(row).toEqual({
    plain: 'cafe obriens m2 ra 0009',
    others: 'lodz strasse',
    signs: '',
    query: "'worker' & ( 'ladder' | 'ladder':* )",
    letter: "'a'",
  })
})
