// Attacks on links to sign a document and on links to a RAMS pack, which work without signing in.
import { attack, call, finish, signIn } from './portal.mjs'
import {
  anonymous,
  atOnce,
  expected,
  newAddress,
  newDrawing,
  newNumber,
  run,
  statuses,
  tokenOf,
} from './shared/links.mjs'

const admin = await signIn('admin.brick')
const approver = await signIn('approver.brick')
const { body: me } = await admin.get('/api/security/user_check')
const today = new Date((await admin.get('/api/portal/public')).headers.date).toISOString().slice(0, 10)
const later = new Date(Date.parse(today) + 20 * 86_400_000).toISOString().slice(0, 10)
const brick = me.client.company
const { body: employees } = await admin.get('/api/portal/users?itemsPerPage=100')
const worker = employees['hydra:member'].find(({ username }) => username === 'worker.brick')

/** Creates a document and puts it in force. Returns its ID. */
async function inForce(path, fields) {
  const { id } = expected(await admin.post(path, fields), 201, `create in ${path}`)
  expected(await admin.post(`${path}/${id}/complete`, {}), 200, 'complete')
  expected(await approver.post(`${path}/${id}/approve`, {}), 200, 'approve')
  return id
}

/** Creates a RAMS pack in force that contains a talk. */
async function newPack() {
  const talk = await inForce('/api/safety/toolbox_talks', {
    title: `links talk ${run}`,
    points: [{ text: 'A' }, { text: 'B' }],
  })
  const id = await inForce('/api/safety/rams_packs', {
    description: `links pack ${run}`,
    project: 'links',
    location: 'Leeds',
    supervisor: 'links',
    papers: [{ target: `/api/safety/documents/${talk}` }],
  })
  const opened = [talk, id].map((part) => ({ part: `/api/safety/documents/${part}`, seconds: 0 }))
  return { id, talk, opened }
}

/** Creates a link to sign a pack, and opens it. */
async function signingLink(pack) {
  const { link } = expected(await admin.post(`/api/safety/documents/${pack.id}/signing_link`, {}), 200, 'signing link')
  const at = `/api/safety/shared_documents/${tokenOf(link.address)}`
  expected(await anonymous('POST', `${at}/opened`, {}), 200, 'open')
  const sign = (fields = {}, options) =>
    anonymous(
      'POST',
      `${at}/sign`,
      {
        name: `links ${run} ${newNumber()}`,
        company: 'links Ltd',
        document: pack.id,
        strokes: newDrawing(),
        opened: pack.opened,
        ...fields,
      },
      options,
    )
  return { at, sign }
}

const signatures = async (pack) => (await admin.get(`/api/safety/signatures?document=${pack.id}&itemsPerPage=100`)).body

/** Creates a link by which the recipient of a pack reads and answers it. */
async function packLink(pack) {
  const link = expected(
    await admin.post(`/api/safety/documents/${pack.id}/links`, { called: 'links', until: later }),
    200,
    'pack link',
  )
  const at = `/api/safety/shared_packs/${tokenOf(link.address)}`
  const answer = (fields = {}) =>
    anonymous('POST', `${at}/answer`, {
      decision: 'accepted',
      name: `links Ann ${run}`,
      company: 'links Ltd',
      position: 'Manager',
      opened: pack.opened.slice(0, 1),
      ...fields,
    })
  return { at, answer, id: link.id }
}

const pack = await newPack()

await attack('a document can be signed by link only if every part has been opened', async () => {
  const link = await signingLink(pack)
  expected(await link.sign(), 200, 'legitimate signature')
  for (const opened of [
    [],
    pack.opened.slice(0, 1),
    [...pack.opened, ...pack.opened],
    [...pack.opened, { part: '/api/safety/documents/1', seconds: 1 }],
  ]) {
    const { status } = await link.sign({ opened })
    if (status !== 422) return `opened ${JSON.stringify(opened)} returns ${status}`
  }
})

await attack('a reading time longer than the document has been in force is not recorded', async () => {
  const fresh = await newPack()
  const link = await signingLink(fresh)
  const answer = await link.sign({ opened: fresh.opened.map(({ part }) => ({ part, seconds: 86_400 })) })
  if (answer.status !== 200) return
  const [{ opened }] = (await signatures(fresh))['hydra:member']
  if (opened.some(({ seconds }) => seconds > 3600))
    return `recorded ${opened[0].seconds} seconds of reading, moments after the approval`
})

await attack('a document can’t be signed by link in the name of a person with an account', async () => {
  const fresh = await newPack()
  const link = await signingLink(fresh)
  expected(await link.sign({ name: `${worker.name} (links Ltd)` }), 200, 'another person with a similar name')
  for (const name of [worker.name, worker.name.toUpperCase(), worker.username]) {
    const { status } = await link.sign({ name, company: brick })
    if (status !== 422) return `${name} returns ${status}`
  }
  const stored = (await signatures(fresh))['hydra:totalItems']
  if (stored !== 1) return `${stored} signatures`
})

await attack('a pack can’t be answered by link in the name of a person with an account at its company', async () => {
  const fresh = await newPack()
  const link = await packLink(fresh)
  expected(await anonymous('POST', `${link.at}/opened`, {}), 200, 'open')
  for (const name of [worker.name, worker.username]) {
    const { status } = await link.answer({ name })
    if (status !== 422) return `${name} returns ${status}`
  }
  expected(await link.answer(), 200, 'the answer of the recipient')
})

await attack('a drawing sent again with another company is not reported as signed for that company', async () => {
  const fresh = await newPack()
  const link = await signingLink(fresh)
  const signature = { name: `links Again ${run}`, strokes: newDrawing() }
  const first = expected(await link.sign(signature), 200, 'signature')
  const again = expected(await link.sign(signature), 200, 'the same signature')
  if (again.signedAt !== first.signedAt) return 'the same signature is stored twice'
  const { status } = await link.sign({ ...signature, company: 'Other Ltd' })
  if (status === 200) return 'the signature is reported as saved, but its company is the former one'
})

await attack('an invalid last day is refused for both a new and an existing link', async () => {
  const fresh = await newPack()
  const create = (until) => admin.post(`/api/safety/documents/${fresh.id}/signing_link`, { until })
  for (const step of ['without a link', 'with a link']) {
    for (const until of ['2020-01-01', '2999-01-01', 'x']) {
      const { status } = await create(until)
      if (status !== 422) return `${until} ${step} returns ${status}`
    }
    expected(await create(today), 200, 'a valid day')
  }
})

await attack('a signature by link does not complete the sign-off request of the person named', async () => {
  const fresh = await newPack()
  const link = await signingLink(fresh)
  expected(
    await admin.post('/api/safety/sign_offs', {
      document: `/api/safety/documents/${fresh.id}`,
      people: [worker.id],
      due: later,
    }),
    201,
    'request',
  )
  await link.sign({ name: worker.name, company: brick })
  expected(await link.sign({ name: `${worker.name} (links Ltd)` }), 200, 'another person with a similar name')
  const { body } = await admin.get('/api/safety/sign_off_people?order[id]=desc&itemsPerPage=100')
  const row = body['hydra:member'].find(({ document, user }) => document.id === fresh.id && user.id === worker.id)
  if (row.state !== 'asked' || row.signedAt) return `the request is ${row.state}`
})

await attack('fields of the record cannot be set by a signature by link', async () => {
  const fresh = await newPack()
  const link = await signingLink(fresh)
  await link.sign({
    user: worker.id,
    signer: worker.id,
    byName: worker.name,
    byLink: false,
    author: 'admin.brick',
    signedAt: '2020-01-01T00:00:00Z',
    method: 'on behalf',
  })
  const [row] = (await signatures(fresh))['hydra:member']
  if (!row) return
  if (
    row.user ||
    row.signer ||
    row.byName ||
    !row.byLink ||
    row.author === 'admin.brick' ||
    row.signedAt < today ||
    row.method !== 'finger'
  )
    return JSON.stringify(row)
})

await attack('twenty simultaneous signatures with one name are stored once, even with one drawing', async () => {
  const fresh = await newPack()
  const link = await signingLink(fresh)
  const byName = await atOnce(20, () => link.sign({ name: `links Dup ${run}` }))
  const strokes = newDrawing()
  const byDrawing = await atOnce(20, () => link.sign({ name: `links Same ${run}`, strokes }))
  const stored = (await signatures(fresh))['hydra:totalItems']
  if (stored !== 2) return `${stored} signatures; ${statuses(byName)}; ${statuses(byDrawing)}`
  const { body } = await admin.get(`/api/safety/documents/${fresh.id}/signing_link`)
  if (body.link.signed !== 2) return `the link counts ${body.link.signed}`
})

await attack('a signing link accepts 100 signatures and no more, under 20 requests at once', async () => {
  const fresh = await newPack()
  const link = await signingLink(fresh)
  let accepted = 0
  for (let round = 0; round < 6; round++) {
    const answers = await atOnce(20, () => link.sign())
    accepted += answers.filter(({ status }) => status === 200).length
    if (answers.some(({ status }) => ![200, 410].includes(status))) return statuses(answers)
  }
  const stored = (await signatures(fresh))['hydra:totalItems']
  if (accepted !== 100 || stored !== 100) return `${accepted} accepted, ${stored} stored`
})

await attack('signing attempts from one address are limited, and forwarded headers do not lift the limit', async () => {
  const link = await signingLink(pack)
  const from = newAddress()
  let limited = 0
  for (let round = 0; round < 5; round++)
    limited += (await atOnce(20, () => link.sign({ opened: [] }, { from }))).filter(
      ({ status }) => status === 429,
    ).length
  if (!limited) return 'no limit in 100 attempts'
  for (const headers of [
    { 'x-forwarded-for': '9.9.9.9' },
    { forwarded: 'for=9.9.9.9' },
    { 'x-real-ip': '9.9.9.9' },
    { 'cf-connecting-ip': '9.9.9.9' },
  ]) {
    const repeated = await atOnce(4, () => link.sign({ opened: [] }, { from, headers }))
    if (repeated.every(({ status }) => status !== 429)) return `${JSON.stringify(headers)} lifts the limit`
  }
  expected(await link.sign({}), 200, 'another address')
})

await attack(
  'a signing link stops working as soon as it is withdrawn, even for requests in progress and open pages',
  async () => {
    const fresh = await newPack()
    const link = await signingLink(fresh)
    expected(await link.sign(), 200, 'signature before')
    const racing = atOnce(20, () => link.sign())
    expected(await admin.delete(`/api/safety/documents/${fresh.id}/signing_link`), 200, 'withdraw')
    const accepted = (await racing).filter(({ status }) => status === 200).length
    const stored = (await signatures(fresh))['hydra:totalItems']
    if (stored !== accepted + 1) return `${accepted} accepted, ${stored - 1} stored`
    for (const [method, path] of [
      ['GET', '/parts'],
      ['GET', `/parts/${fresh.id}`],
      ['POST', '/opened'],
    ]) {
      const { status } = await anonymous(method, link.at + path, method === 'POST' ? {} : undefined)
      if (status !== 410) return `${method} ${path} returns ${status}`
    }
    const { status } = await link.sign()
    if (status !== 410) return `signing returns ${status}`
    if (expected(await call('GET', link.at), 200, 'page').document) return 'the page still names the document'
    await admin.post(`/api/safety/documents/${fresh.id}/signing_link`, {})
    if ((await link.sign()).status !== 410) return 'the old link works again with the new one'
  },
)

await attack('a document cannot be signed by link once it is withdrawn', async () => {
  const fresh = await newPack()
  const link = await signingLink(fresh)
  expected(await link.sign(), 200, 'signature before')
  const racing = atOnce(20, () => link.sign())
  expected(await admin.post(`/api/safety/rams_packs/${fresh.id}/withdraw`, { note: 'links' }), 200, 'withdraw')
  await racing
  const before = (await signatures(fresh))['hydra:totalItems']
  const { status } = await link.sign()
  if (status !== 410 || (await signatures(fresh))['hydra:totalItems'] !== before) return `signing returns ${status}`
})

await attack('a page opened before a new revision cannot sign the new one, nor the old one', async () => {
  const fresh = await newPack()
  const link = await signingLink(fresh)
  expected(await link.sign(), 200, 'signature before')
  const { id } = expected(await admin.post(`/api/safety/rams_packs/${fresh.id}/revise`, {}), 200, 'revise')
  const { headers } = await admin.get(`/api/safety/rams_packs/${id}`)
  expected(
    await admin.patch(
      `/api/safety/rams_packs/${id}`,
      { project: 'changed' },
      { headers: { 'content-type': 'application/merge-patch+json', 'if-match': headers.etag } },
    ),
    200,
    'change',
  )
  expected(await admin.post(`/api/safety/rams_packs/${id}/complete`, {}), 200, 'complete')
  expected(await approver.post(`/api/safety/rams_packs/${id}/approve`, {}), 200, 'approve')
  const { status } = await link.sign()
  const stored = (await signatures(fresh))['hydra:totalItems'] + (await signatures({ id }))['hydra:totalItems']
  if (status === 200 || stored !== 1) return `signing returns ${status}, ${stored} signatures`
})

await attack('a link with another client’s number, record or kind is unknown', async () => {
  const link = await signingLink(pack)
  const [, number, ...secret] = tokenOf(link.at).split('-')
  expected(await call('GET', link.at), 200, 'the link itself')
  for (const token of [
    `2-${number}-${secret.join('-')}`,
    `1-${+number - 1}-${secret.join('-')}`,
    `0-${number}-${secret.join('-')}`,
  ])
    if ((await call('GET', `/api/safety/shared_documents/${token}`)).status !== 404) return `${token} is accepted`
  for (const kind of ['shared_talks', 'shared_forms', 'shared_packs', 'asked_rams', 'linked_actions'])
    if ((await call('GET', `/api/safety/${kind}/${tokenOf(link.at)}`)).status !== 404) return `accepted as ${kind}`
})

await attack('a pack link shows no document outside the pack', async () => {
  const link = await packLink(pack)
  expected(await call('GET', `${link.at}/parts/${pack.talk}`), 200, 'a part of the pack')
  const { body } = await admin.get('/api/safety/documents?state=current&itemsPerPage=100')
  const others = body['hydra:member'].filter(({ id }) => id !== pack.id && id !== pack.talk).slice(0, 30)
  for (const { id } of others)
    if ((await call('GET', `${link.at}/parts/${id}`)).status !== 404) return `document ${id} is shown`
  const files = await atOnce(30, (index) => anonymous('GET', `${link.at}/files/${index + 1}/file`))
  if (files.some(({ status }) => status !== 404)) return `files: ${statuses(files)}`
})

await attack('only one of twenty different simultaneous answers to a pack is stored', async () => {
  const fresh = await newPack()
  const link = await packLink(fresh)
  expected(await link.answer(), 409, 'an answer before the pack is opened')
  expected(await anonymous('POST', `${link.at}/opened`, {}), 200, 'open')
  expected(await link.answer({ opened: [] }), 422, 'accepting without opening the parts')
  const answers = await atOnce(20, (index) => link.answer(index % 2 ? { decision: 'rejected', comment: 'links' } : {}))
  const { body } = await admin.get(`/api/safety/pack_answers?document=${fresh.id}`)
  if (body['hydra:totalItems'] !== 1) return `${body['hydra:totalItems']} stored: ${statuses(answers)}`
})

await attack('a withdrawn pack link shows nothing and accepts no answer', async () => {
  const fresh = await newPack()
  const link = await packLink(fresh)
  expected(await anonymous('POST', `${link.at}/opened`, {}), 200, 'open')
  expected(await call('GET', `${link.at}/parts`), 200, 'parts before')
  expected(await admin.post(`/api/safety/pack_links/${link.id}/withdraw`, {}), 200, 'withdraw')
  for (const path of ['/parts', `/parts/${fresh.talk}`, '/pdf'])
    if ((await call('GET', link.at + path)).status !== 410) return `${path} is still shown`
  if ((await link.answer()).status !== 410) return 'an answer is accepted'
  if ((await anonymous('POST', `${link.at}/newer`, {})).status === 200) return 'the current revision is still given'
  if (expected(await call('GET', link.at), 200, 'page').pack) return 'the page still shows the pack'
})

finish()
