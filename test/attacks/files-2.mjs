// Attacks on files: uploads at the same time as other changes, files that are slow to read, imports, exports and
// e-mails.
import { deflateSync } from 'node:zlib'
import { attack, call, finish, signIn } from './portal.mjs'

const prefix = `files-${Date.now().toString(36)}`
const admin = await signIn('admin.brick')
const approver = await signIn('approver.brick')
const worker = await signIn('worker.brick')
const care = await signIn('admin.care')
const manager = await signIn('manager')
const staff = await signIn('staff')
const finance = await signIn('finance')

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/** Changes some fields of a record. */
const patch = (user, path, body) =>
  user.patch(path, body, { headers: { 'content-type': 'application/merge-patch+json' } })
const self = async (user) => (await user.get('/api/security/user_check')).body
const workerUser = await self(worker)
const uploads = `/api/safety/uploads/${workerUser.client.id}`

function upload(user, path, content, name, fields = {}) {
  const data = new FormData()
  for (const [key, value] of Object.entries(fields)) data.set(key, value)
  data.set('file', new Blob([content]), name)
  return user.post(path, undefined, { raw: data })
}

const createFolder = async (name, audience) => {
  const { status, body } = await admin.post('/api/safety/document_folders', { name: `${prefix} ${name}`, audience })
  if (status !== 201) throw new Error(`no folder: ${status} ${body.detail}`)
  return body
}

function crc32(bytes) {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

/** Makes a black and white PNG. A large one needs few bytes, but is slow to decode. */
function png(width, height) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    const check = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const pixels = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const slowPicture = png(11_000, 11_000)

async function createAction() {
  const { status, body } = await admin.post('/api/safety/corrective_actions', {
    description: `${prefix} action`,
    owner: workerUser.id,
    managerName: 'Files Test',
    deadline: '2030-01-01',
  })
  if (status !== 201) throw new Error(`no corrective action: ${status} ${body.detail}`)
  return body
}

// Several changes at the same time

await attack('exactly one of several simultaneous new versions replaces the file', async () => {
  const file = (await upload(admin, uploads, 'v1', `${prefix}-v.txt`)).body
  const path = `${file['@id']}/versions`
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, i) => upload(admin, path, `v${i + 2}`, `${prefix}-v.txt`)),
  )
  const saved = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status === 409 || status === 429)
  if (saved.length !== 1 || refused.length !== 3) return answers.map(({ status }) => status).join(', ')
  const versions = (await admin.get(path)).body['hydra:member']
  if (versions.filter((version) => !version.replaced).length !== 1) return 'not exactly one current version'
})

await attack('proof can’t be added to a verified corrective action, even by an upload that began before', async () => {
  for (const delay of [100, 200, 400]) {
    const action = await createAction()
    const early = await upload(worker, `${action['@id']}/files`, 'early', `${prefix}.txt`)
    if (early.status !== 201) return `early proof: ${early.status}`
    const late = upload(worker, `${action['@id']}/files`, slowPicture, `${prefix}.png`)
    await sleep(delay)
    const completed = await worker.post(`${action['@id']}/complete`, { proof: 'done' })
    const { version } = (await approver.get(action['@id'])).body
    const verified = await approver.post(`${action['@id']}/verify`, { version })
    if (completed.status !== 200 || verified.status !== 200) return `${completed.status}, ${verified.status}`
    const count = async () =>
      (await admin.get(`/api/safety/corrective_action_files?action=${action.id}`)).body['hydra:totalItems']
    const before = await count()
    const sequential = await upload(worker, `${action['@id']}/files`, 'late', `${prefix}.txt`)
    if (sequential.status !== 409) return `after the verification: ${sequential.status}`
    const { status } = await late
    const after = await count()
    if (after !== before) return `${status}: ${before} files when it was verified, ${after} now`
  }
})

await attack('a folder retired during an upload gets no file', async () => {
  const folder = await createFolder('retired', [])
  const pending = upload(admin, uploads, slowPicture, `${prefix}.png`, { folder: folder['@id'] })
  await sleep(100)
  const retired = await patch(admin, folder['@id'], { retired: true })
  const retiredAt = Date.now()
  if (retired.status !== 200) return `retire: ${retired.status}`
  const { status } = await pending
  if (status === 201 && Date.now() - retiredAt > 100) return `${status}`
})

await attack('a folder can’t be inside itself, even after two simultaneous changes', async () => {
  const [a, b] = [await createFolder('a', []), await createFolder('b', [])]
  const answers = await Promise.all([
    patch(admin, a['@id'], { parent: b['@id'] }),
    patch(admin, b['@id'], { parent: a['@id'] }),
  ])
  if (answers.filter(({ status }) => status === 200).length > 1) return answers.map(({ status }) => status).join(', ')
})

await attack('a picture with too many pixels is refused before it is decoded', async () => {
  const start = Date.now()
  const { status } = await upload(worker, uploads, png(20_000, 20_000), `${prefix}.png`)
  if (status !== 422) return `${status}`
  if (Date.now() - start > 2000) return `after ${Date.now() - start} ms`
})

/** Returns the response to a request, and the longest time in milliseconds that another request waited meanwhile. */
async function whileOthersWait(request) {
  let longest = 0
  let isDone = false
  const others = (async () => {
    while (!isDone) {
      const start = performance.now()
      await call('GET', '/api/security/user_check')
      longest = Math.max(longest, performance.now() - start)
      await sleep(20)
    }
  })()
  const answer = await request()
  isDone = true
  await others
  return { ...answer, longest: Math.round(longest) }
}

/** Returns the best of three attempts, because other programs on the computer may cause a single long wait. */
async function bestOfThree(request) {
  let best
  for (let i = 0; i < 3; i++) {
    const answer = await whileOthersWait(request)
    if (answer.status >= 500) return answer
    if (!best || answer.longest < best.longest) best = answer
    if (best.longest < 1000) break
  }
  return best
}

// Files that are slow to read

await attack('a list of leads with 99,000 short rows doesn’t make other requests wait', async () => {
  const rows = `Company,Email\n${'a\n'.repeat(99_000)}`
  const { status, longest } = await bestOfThree(() => upload(manager, '/api/crm/imports', rows, `${prefix}.csv`))
  if (status !== 201 && status !== 422) return `${status}`
  if (longest > 1000) return `${rows.length} bytes: others waited ${longest} ms`
})

await attack('a list of leads with one line of 10 million commas doesn’t make other requests wait', async () => {
  const rows = `Company,Email\n${','.repeat(10_000_000)}`
  const { status, longest } = await bestOfThree(() => upload(manager, '/api/crm/imports', rows, `${prefix}.csv`))
  if (status !== 413 && status !== 422) return `${status}`
  if (longest > 1000) return `others waited ${longest} ms`
})

await attack('a long form answer doesn’t make other companies wait for their PDF files', async () => {
  const sample = () => care.get(`/api/portal/letterheads/sample.pdf?header=${prefix}${Math.random()}`)
  const idle = await sample()
  if (idle.status !== 200) return `sample: ${idle.status}`
  const fields = Array.from({ length: 20 }, (_, i) => ({ kind: 'longText', name: `n${i}`, label: `N${i}` }))
  const schema = { steps: [{ name: 'a', title: 'A', groups: [{ fields }] }] }
  const { body: form } = await admin.post('/api/safety/custom_forms', { title: `${prefix} long`, schema })
  await admin.post(`${form['@id']}/publish`, {})
  const version = (await admin.get(form['@id'])).body.current
  const answer = (text) =>
    worker.post('/api/safety/custom_form_answers', {
      form: form['@id'],
      version,
      answers: Object.fromEntries(fields.map(({ name }) => [name, text])),
    })
  const short = await answer('short')
  if (short.status !== 201) return `short answer: ${short.status}`
  const long = await answer('ا'.repeat(10_000))
  await patch(admin, form['@id'], { retired: true })
  if (long.status === 413 || long.status === 422) return
  if (long.status !== 201) return `long answer: ${long.status}`
  const start = performance.now()
  const pending = worker.get(`${long.body['@id']}/pdf`)
  await sleep(200)
  const other = await sample()
  const waited = Math.round(performance.now() - start - 200)
  const { status } = await pending
  if (status >= 500) return `${status}; another company waited ${waited} ms for its own PDF file`
  if (other.status !== 200 || waited > 3000) return `${other.status} after ${waited} ms`
})

// Imports and exports

await attack(
  'an import of leads started several times at once adds each lead once, and its export contains no formulas',
  async () => {
    const rows =
      `Company,Contact,Email\n"=HYPERLINK(""http://evil.example"",""${prefix}"")",+Ann,${prefix}-1@portal.example\n` +
      `${prefix} two,@Bob,${prefix}-2@portal.example\n`
    const { status, body } = await upload(manager, '/api/crm/imports', rows, `${prefix}.csv`)
    if (status !== 201) return `upload: ${status}`
    const settled = async () => {
      for (let i = 0; i < 60; i++) {
        const batch = (await manager.get(body['@id'])).body
        if (!['running', 'undoing', 'waiting'].includes(batch.state)) return batch
        await sleep(250)
      }
    }
    await manager.post(`${body['@id']}/start`, { mapping: body.mapping, dryRun: true, duplicates: 'skip' })
    await settled()
    const start = () => manager.post(`${body['@id']}/start`, { mapping: body.mapping, duplicates: 'skip' })
    const answers = await Promise.all(Array.from({ length: 4 }, start))
    if (answers.filter((answer) => answer.status === 200).length !== 1) return 'started more than once'
    const batch = await settled()
    if (batch.rowsAdded !== 2) return `${batch.rowsAdded} leads of 2`
    const exported = await manager.get(`/api/crm/contacts/export.csv?importBatch=${body.id}`)
    const report = await manager.get(`${body['@id']}/report.csv`)
    await manager.post(`${body['@id']}/undo`, {})
    for (const { text } of [exported, report]) {
      if (!text.includes('HYPERLINK')) return 'the export has no such lead'
      if (/(^|[,"\n])[=+@](HYPERLINK|Ann|Bob)/.test(text)) return text
    }
  },
)

await attack('a bank statement imported several times at once adds each line once', async () => {
  const day = new Date().toLocaleDateString('en-GB')
  const lines = Array.from({ length: 20 }, (_, i) => `${day},${prefix} ${i},${i + 1}.00\n`).join('')
  const statement = { name: `${prefix}.csv`, text: `Date,Description,Amount\n${lines}` }
  const post = () => finance.post('/api/financial/bank_statements', statement)
  const answers = await Promise.all(Array.from({ length: 4 }, post))
  const saved = answers.filter(({ status }) => status === 201)
  if (!saved.length) return answers.map(({ status }) => status).join(', ')
  const total = saved.reduce((sum, { body }) => sum + body.lines, 0)
  if (total !== 20) return `${total} lines of 20`
})

await attack('damaged bank files are refused without a 5xx error', async () => {
  const xml = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>'
  const files = {
    'a.xml': `${xml}${'<a>'.repeat(200_000)}`,
    'a.ofx': `<OFX>${'<STMTTRN>'.repeat(50_000)}`,
    'a.sta': ':20:X\n:61:1',
  }
  for (const [name, text] of Object.entries(files)) {
    const { status, body } = await finance.post('/api/financial/bank_statements', { name, text })
    if (status !== 422 && !(status === 201 && body.lines === 0)) return `${name}: ${status}`
  }
})

// E-mails

const address = `${prefix}@portal.example`
const lead = (
  await staff.post('/api/crm/contacts', { companyName: `${prefix} <b>Ltd</b>`, name: 'Files Test', email: address })
).body
const mail = (body) =>
  staff.post('/api/email/message', { contact: lead['@id'], subject: 'x', body: 'x', marketing: false, ...body })

await attack('line breaks in a subject, a merge value or a name can’t add an e-mail header', async () => {
  const subject = await mail({ subject: 'x\r\nBcc: evil@evil.example' })
  if (subject.status !== 422) return `subject: ${subject.status}`
  const values = { postcode: 'x\r\nBcc: evil@evil.example' }
  const merged = await mail({ subject: '{{postcode}}', values })
  if (merged.status === 201 && /[\r\n]/.test(merged.body.subject)) return JSON.stringify(merged.body.subject)
  if (merged.status !== 201 && merged.status !== 422) return `merge value: ${merged.status}`
  const name = await staff.post('/api/crm/contacts', { companyName: prefix, name: 'x\r\nBcc: evil@evil.example' })
  if (name.status !== 422) return `name: ${name.status}`
  const ticket = { subject: 'x\r\nBcc: evil@evil.example', message: 'x', email: address }
  const answer = await worker.post('/api/portal/support_tickets', ticket)
  if (answer.status !== 422) return `support ticket: ${answer.status}`
})

await attack('merge fields can’t access the program’s properties, and can’t be nested', async () => {
  for (const field of ['{{__proto__}}', '{{constructor}}', '{{first name|{{company}}}}', '{{'.repeat(9000)]) {
    const { status } = await mail({ body: field })
    if (status !== 422) return `${field.slice(0, 30)}: ${status}`
  }
})

await attack('an e-mail can’t attach a network URL, a local file or a client’s file', async () => {
  const secret = (await upload(admin, uploads, 'secret', `${prefix}.txt`)).body
  const others = [secret['@id'], secret.url, 'http://127.0.0.1:1/', 'file:///etc/passwd', '/api/crm/files/../../x']
  for (const attachment of others) {
    const { status } = await mail({ attachments: [attachment] })
    if (status !== 400 && status !== 422) return `${attachment}: ${status}`
  }
  const { body: file } = await upload(staff, `${lead['@id']}/files`, 'lead file', `${prefix}.txt`)
  const right = await mail({ attachments: [file['@id']] })
  if (right.status !== 201) return `the lead’s own file: ${right.status}`
})

await attack('recipients of a document can’t contain header lines', async () => {
  const documents = (await admin.get('/api/safety/documents?itemsPerPage=100&order[id]=asc')).body['hydra:member']
  const document = documents.find(({ state, kind }) => state === 'current' && kind === 'toolbox_talk').id
  for (const to of [`${address}\r\nBcc: evil@evil.example`, `"a b" <${address}>`, 'evil@[127.0.0.1]']) {
    const { status, body } = await admin.post('/api/safety/document/send', { to, document, documents: [document] })
    if (status !== 422 || !body.detail.startsWith('to:')) return `${to}: ${status} ${body.detail}`
  }
  const many = Array.from({ length: 21 }, (_, i) => `${i}${address}`)
  const limit = await admin.post('/api/safety/document/send', { to: many, document, documents: [document] })
  if (limit.status !== 422) return `21 recipients: ${limit.status}`
  const other = await care.post('/api/safety/document/send', { to: address, document, documents: [document] })
  if (other.status < 400) return `another company: ${other.status}`
})

await attack('an address that has opted out gets no e-mail or copy, however it is written', async () => {
  const before = await mail({})
  if (before.status !== 201) return `before: ${before.status}`
  const optOut = await staff.post('/api/email/suppressions', { address: address.toUpperCase(), reason: 'asked' })
  if (optOut.status !== 201) return `opt-out: ${optOut.status}`
  for (const email of [address, address.toUpperCase(), address.replace('files', 'ｆｉｌｅｓ')]) {
    await patch(staff, lead['@id'], { email })
    const { status } = await mail({})
    if (status !== 422) return `${email}: ${status}`
  }
  const copy = await staff.post(`/api/email/message/resend/${before.body.id}`, {})
  if (copy.status !== 409) return `copy: ${copy.status}`
  const lifted = await patch(staff, optOut.body['@id'], { retired: true, liftedReason: 'x' })
  if (lifted.status !== 403) return `lifted by a caller: ${lifted.status}`
})

await attack('administrators never see the links in e-mails to other people', async () => {
  for (const user of [manager, admin]) {
    const { status, body } = await user.get('/api/email/messages?itemsPerPage=100')
    if (status !== 200) return `${status}`
    const link = /\/[a-z-]+\/\d+-\d+-[\w-]{24,}/
    const shown = body['hydra:member'].find((message) => link.test(message.body))
    if (shown) return `e-mail ${shown.id} (${shown.template}) shows its link`
  }
})

await attack('received e-mail without the mail server’s signature is refused', async () => {
  const { status } = await call('POST', '/api/email/inbound', { body: { message: 'eA==' } })
  if (![401, 403, 404].includes(status)) return `${status}`
})

await attack('a support ticket answered several times at once is answered once', async () => {
  const question = { subject: prefix, message: 'x', email: `${prefix}-2@portal.example` }
  const { body: ticket } = await worker.post('/api/portal/support_tickets', question)
  const post = (_, i) => [staff, manager][i % 2].post(`${ticket['@id']}/answer`, { answer: `answer ${i}` })
  const answers = await Promise.all(Array.from({ length: 4 }, post))
  const statuses = answers.map(({ status }) => status)
  if (statuses.filter((status) => status === 200).length !== 1) return statuses.join(', ')
})

// Impersonation

await attack('a read-only impersonation can’t upload or export anything', async () => {
  const query = `username=worker.brick&client=${workerUser.client.id}&reason=${prefix}`
  const { status, body } = await manager.get(`/api/security/user/switch?${query}`)
  if (status !== 200) return `switch: ${status}`
  const raw = () => {
    const form = new FormData()
    form.set('file', new Blob(['x']), `${prefix}.txt`)
    return form
  }
  const uploaded = await call('POST', uploads, { token: body.token, raw: raw() })
  const from = { from: '/api/safety/uploaded_documents', format: 'csv' }
  const exported = await call('POST', '/api/portal/exports', { token: body.token, body: from })
  await call('GET', '/api/security/user/unswitch', { token: body.token })
  if (uploaded.status !== 403 || exported.status !== 403) return `${uploaded.status}, ${exported.status}`
})

finish()
