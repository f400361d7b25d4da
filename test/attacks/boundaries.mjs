// Attacks on the boundaries between clients, resellers and employees.
import { attack, call, finish } from './portal.mjs'
import {
  account,
  addUser,
  admin,
  BRICK,
  CARE,
  care,
  described,
  MERGE,
  mark,
  members,
  need,
  pause,
  reseller,
  retireUsers,
  worker,
} from './shared/impersonation.mjs'

const careDocument = members(await care.get(`/api/safety/risk_assessments?client=${CARE}&itemsPerPage=5`))[0]

await attack('A document of another client can’t be read at any of its URLs', async () => {
  const { id } = careDocument
  const assessment = ['', '/pdf', '/form', '/copy', '/review', `/${BRICK}/copyTo`].map(
    (end) => `risk_assessments/${id}${end}`,
  )
  const document = ['', '/parts', '/where_used', '/carried', '/pack', '/newer', '/improvements', '/signing_link'].map(
    (end) => `documents/${id}${end}`,
  )
  need(await care.get(`/api/safety/documents/${id}/parts`))
  for (const path of [...assessment, ...document, `documents/pack?documents=${id}`])
    for (const who of [admin, worker]) {
      const answer = await who.get(`/api/safety/${path}`)
      if (![403, 404].includes(answer.status)) return `${path}: ${described(answer)}`
    }
})

await attack('A request can’t relate a record to another client’s document or user', async () => {
  const { id } = await account(care)
  const requests = {
    'safety/signatures': {
      document: `/api/safety/documents/${careDocument.id}`,
      method: 'typed',
      name: 'Priya Shah',
      opened: [],
    },
    'safety/sign_offs': { document: `/api/safety/documents/${careDocument.id}` },
    'safety/corrective_actions': { description: mark, managerName: 'Site manager', owner: id },
  }
  for (const [path, body] of Object.entries(requests)) {
    const answer = await admin.post(`/api/${path}`, body)
    if (![400, 404, 422].includes(answer.status)) return `${path}: ${described(answer)}`
  }
  const user = await addUser()
  const managed = await admin.patch(user['@id'], { manager: `/api/portal/users/${id}` }, MERGE)
  if (managed.status !== 422) return described(managed)
  const run = need(await admin.post('/api/safety/documents/packs', { documents: [careDocument.id] }), 202)
  for (let tries = 0; tries < 20; tries++) {
    const { state } = need(await admin.get(run['@id']))
    if (state === 'failed') return
    if (state === 'done') return 'a pack contains another client’s document'
    await pause(1000)
  }
  return 'the pack was neither made nor refused in 20 s'
})

await attack('No list shows a row of a company that its reader may not access', async () => {
  const { paths } = need(await call('GET', '/api/docs.json'))
  const lists = Object.entries(paths).filter(
    ([path, { get }]) => get && /^\/api\/[^{]*$/.test(path) && !/switch|live|bingo/.test(path),
  )
  const northern = members(await reseller.get('/api/portal/clients')).map(({ id }) => id)
  const readers = [
    [worker, [BRICK]],
    [admin, [BRICK]],
    [care, [CARE]],
    [reseller, [(await account(reseller)).client.id, ...northern]],
  ]
  for (const [who, reach] of readers) {
    let read = 0
    const check = async ([path]) => {
      const answer = await who.get(`${path}?itemsPerPage=100`)
      if (answer.status >= 500) return described(answer)
      if (answer.status !== 200) return
      read++
      const rows = JSON.stringify(answer.body['hydra:member'] ?? [])
      const foreign = [...rows.matchAll(/\/clients\/(\d+)"/g)].find(([, id]) => !reach.includes(Number(id)))
      return foreign && `${path} shows client ${foreign[1]}`
    }
    for (let from = 0; from < lists.length; from += 6) {
      const found = (await Promise.all(lists.slice(from, from + 6).map(check))).find(Boolean)
      if (found) return found
    }
    if (read < 50) return `only ${read} lists were read`
  }
})

await attack('Filters, counts and exports never include another client’s data', async () => {
  for (const filter of [
    `client=${CARE}`,
    `client[]=${CARE}`,
    `client.id=${CARE}`,
    'client.company=Willow',
    `id=${careDocument.id}`,
    `id[]=${careDocument.id}`,
  ]) {
    const list = need(await admin.get(`/api/safety/documents?${filter}`))
    if (list['hydra:totalItems']) return `${filter} counts ${list['hydra:totalItems']} documents`
    const file = await admin.get(`/api/safety/documents/export.csv?${filter}`)
    if (file.status === 200 && file.text.trim().split('\n').length > 1) return `${filter} exports rows`
  }
  for (const path of [
    `portal/stats?client=${BRICK}`,
    `portal/products?client=${BRICK}`,
    `portal/clients/${BRICK}/applications`,
  ]) {
    need(await admin.get(`/api/${path}`))
    const answer = await care.get(`/api/${path}`)
    if (answer.status !== 404) return `${path}: ${described(answer)}`
  }
  const names = members(await admin.get(`/api/portal/names?of=admin.care&client=${CARE}`))
  const chosen = members(await admin.get(`/api/portal/users_list?client=${CARE}`)).some(
    ({ username }) => username === 'admin.care',
  )
  if (names.length || chosen) return 'a user of another client is named'
})

await attack('An export job starts only for the URL of a list that the reader may read', async () => {
  need(await worker.post('/api/portal/exports', { from: '/api/portal/users', format: 'csv' }), 202)
  for (const from of [
    '/api/crm/contacts',
    '/api/portal/security_events',
    'http://127.0.0.1/api/portal/users',
    '//other.example/api/portal/users',
    '/api/portal/users/../visits',
    7,
  ]) {
    const answer = await worker.post('/api/portal/exports', { from, format: 'csv' })
    if (![400, 403, 404, 422].includes(answer.status)) return `${from}: ${described(answer)}`
  }
})

await attack('A reseller reads its clients, but not their users or documents, and changes nothing', async () => {
  need(await reseller.get(`/api/portal/clients/${CARE}`))
  for (const path of [
    `portal/clients/${BRICK}`,
    `portal/clients/${BRICK}/applications`,
    `safety/documents/${careDocument.id}`,
    `safety/figures?client=${CARE}`,
  ]) {
    const answer = await reseller.get(`/api/${path}`)
    if (![403, 404].includes(answer.status)) return `${path}: ${described(answer)}`
  }
  if (members(await reseller.get(`/api/portal/users?client=${CARE}`)).length) return 'it reads users'
  const change = await reseller.patch(`/api/portal/clients/${CARE}`, { company: 'Changed' }, MERGE)
  if (change.status !== 403) return described(change)
})

await retireUsers()
finish()
