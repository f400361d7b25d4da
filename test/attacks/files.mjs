// Attacks on files: content, names, folders, and the files of other people and companies.
import { attack, call, finish, signIn } from './portal.mjs'

const prefix = `files-${Date.now().toString(36)}`
const admin = await signIn('admin.brick')
const approver = await signIn('approver.brick')
const worker = await signIn('worker.brick')
const office = await signIn('office.brick')
const care = await signIn('admin.care')
const reseller = await signIn('reseller.north')
const manager = await signIn('manager')
const staff = await signIn('staff')

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/** Changes some fields of a record. */
const patch = (user, path, body) =>
  user.patch(path, body, { headers: { 'content-type': 'application/merge-patch+json' } })
const inDays = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const self = async (user) => (await user.get('/api/security/user_check')).body
const client = (await self(admin)).client.id
const careClient = (await self(care)).client.id
const workerId = (await self(worker)).id
const uploads = `/api/safety/uploads/${client}`

const minimalPdf =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj ' +
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'

function form(content, name, fields = {}) {
  const data = new FormData()
  for (const [key, value] of Object.entries(fields)) data.set(key, value)
  data.set('file', new Blob([content]), name)
  return data
}
const upload = (user, path, content, name, fields) => user.post(path, undefined, { raw: form(content, name, fields) })

/** Makes a form with this exact Content-Disposition, which FormData would escape. */
function uploadAs(user, disposition, content = minimalPdf) {
  const raw =
    `--boundary\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\nContent-Type: application/pdf\r\n\r\n` +
    `${content}\r\n--boundary--\r\n`
  return user.post(uploads, undefined, { raw, headers: { 'content-type': 'multipart/form-data; boundary=boundary' } })
}

const createFolder = async (name, audience) => {
  const { status, body } = await admin.post('/api/safety/document_folders', { name: `${prefix} ${name}`, audience })
  if (status !== 201) throw new Error(`no folder: ${status} ${body.detail}`)
  return body
}
const confidential = await createFolder('confidential', ['ROLE_CLIENT_ADMIN'])
const open = await createFolder('open', [])
const secret = (
  await upload(admin, uploads, `${prefix} secret`, `${prefix}-secret.txt`, { folder: confidential['@id'] })
).body
const shared = (await upload(admin, uploads, `${prefix} shared`, `${prefix}-shared.txt`, { folder: open['@id'] })).body
const own = (await upload(worker, uploads, `${prefix} own`, `${prefix}-own.txt`)).body
const foreign = (await upload(care, `/api/safety/uploads/${careClient}`, 'care', `${prefix}-care.txt`)).body
for (const file of [secret, shared, own, foreign]) if (!file.id) throw new Error(`no file: ${JSON.stringify(file)}`)

async function createAction() {
  const { status, body } = await admin.post('/api/safety/corrective_actions', {
    description: `${prefix} action`,
    owner: workerId,
    managerName: 'Files Test',
    deadline: '2030-01-01',
  })
  if (status !== 201) throw new Error(`no corrective action: ${status} ${body.detail}`)
  return body
}

// Content

await attack('a web page or SVG picture can’t be uploaded under its own name', async () => {
  for (const [name, content] of [
    ['x.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['x.html', '<html><script>alert(1)</script>'],
  ]) {
    const { status } = await upload(worker, uploads, content, `${prefix}-${name}`)
    if (status !== 422) return `${name}: ${status}`
  }
})

await attack('HTML named as a PDF is refused, and HTML named as text is only downloaded', async () => {
  const html = '<html><script>alert(1)</script>'
  const asPdf = await upload(worker, uploads, html, `${prefix}.pdf`)
  if (asPdf.status !== 422) return `as PDF: ${asPdf.status}`
  const asText = await upload(worker, uploads, html, `${prefix}.txt`)
  if (asText.status !== 201) return `as text: ${asText.status}`
  const { headers } = await worker.get(asText.body.url)
  if (!headers['content-disposition'].startsWith('attachment')) return `served ${headers['content-disposition']}`
  if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff'
  if (!/sandbox/.test(headers['content-security-policy'])) return 'no sandbox'
})

await attack('a file truncated after its first bytes is refused with 422, not 5xx', async () => {
  const truncated = {
    'a ZIP signature only': 'PK\x03\x04',
    'a ZIP entry that breaks off': 'PK\x03\x04junkjunk',
    'a PNG signature only': '\x89PNG\r\n\x1a\n',
    'an Ogg signature only': 'OggS',
    'a TIFF header only': 'II*\0\x08\0\0\0',
  }
  const found = []
  for (const [name, bytes] of Object.entries(truncated)) {
    const { status } = await upload(worker, uploads, Buffer.from(bytes, 'latin1'), `${prefix}.docx`)
    if (status !== 422) found.push(`${name}: ${status}`)
  }
  if (found.length) return found.join(', ')
})

await attack('the other uploads refuse a truncated ZIP entry with 422, not 5xx', async () => {
  const bytes = Buffer.from('PK\x03\x04junkjunk', 'latin1')
  const lead = (await staff.post('/api/crm/contacts', { companyName: `${prefix} lead`, name: 'Files Test' })).body
  const action = await createAction()
  const found = []
  for (const { user, path } of [
    { user: staff, path: `${lead['@id']}/files` },
    { user: worker, path: `${action['@id']}/files` },
    { user: manager, path: '/api/crm/alert_banners_upload?banner=17' },
  ]) {
    const { status } = await upload(user, path, bytes, `${prefix}.docx`)
    if (status !== 422) found.push(`${path}: ${status}`)
  }
  if (found.length) return found.join(', ')
})

await attack('a program and an empty file are refused', async () => {
  for (const [content, name] of [
    ['MZ\x90\0\x03', 'x.exe'],
    ['', 'x.txt'],
  ]) {
    const { status } = await upload(worker, uploads, content, `${prefix}-${name}`)
    if (status !== 422) return `${name}: ${status}`
  }
})

await attack('a form with several files or thousands of fields is refused', async () => {
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc\r\n'
  const field = '--b\r\nContent-Disposition: form-data; name="label"\r\n\r\nx\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  for (const raw of [`${file}${file}--b--`, `${field.repeat(20_000)}--b--`]) {
    const { status } = await worker.post(uploads, undefined, { raw, headers })
    if (status !== 413) return `${status}`
  }
})

// Names

await attack('a stored file name contains no directories', async () => {
  for (const name of ['../../../etc/passwd.pdf', '..\\\\..\\\\passwd.pdf', '/etc/passwd.pdf']) {
    const { status, body } = await uploadAs(worker, `filename="${name}"`)
    if (status !== 201) return `${name}: ${status}`
    if (body.name !== 'passwd.pdf') return `${name}: ${body.name}`
  }
})

await attack('a stored file name contains no control characters or characters that reverse text', async () => {
  for (const name of ['a\u202Efdp.exe.pdf', 'a\u2066b.pdf', 'a\u0000b.pdf', 'a\u0007b.pdf']) {
    const { status, body } = await uploadAs(worker, `filename="${name}"`)
    if (status !== 201) return `${JSON.stringify(name)}: ${status}`
    if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(body.name)) return JSON.stringify(body.name)
  }
})

await attack('a file name with quotation marks can’t add a parameter to the download header', async () => {
  const { body } = await uploadAs(worker, 'filename="a\\"; filename=evil.html; x=\\".pdf"')
  const { status, headers } = await worker.get(body.url)
  if (status !== 200) return `${status}`
  const disposition = headers['content-disposition'].replace(/"(?:[^"\\]|\\.)*"/g, '')
  if (/evil/.test(disposition)) return headers['content-disposition']
})

await attack('a very long file name can be stored and downloaded', async () => {
  for (const character of ['a', '👍']) {
    const { status, body } = await uploadAs(worker, `filename="${character.repeat(3000)}.pdf"`)
    if (status !== 201) return `${status}`
    if (body.name.length > 255) return `${body.name.length} characters`
    const download = await worker.get(body.url)
    if (download.status !== 200) return `download ${download.status}`
  }
})

await attack('a renamed lead file retains its type and can’t add a header', async () => {
  const lead = (await staff.post('/api/crm/contacts', { companyName: `${prefix} rename`, name: 'Files Test' })).body
  const file = (await upload(staff, `${lead['@id']}/files`, 'lead file', `${prefix}.txt`)).body
  const renamed = await patch(staff, file['@id'], { name: '../x\r\nSet-Cookie: a=b.html' })
  if (renamed.status !== 200 && renamed.status !== 422) return `${renamed.status}`
  const { status, headers } = await staff.get(file.url)
  if (status !== 200) return `download ${status}`
  if (headers['set-cookie']) return 'a header was added'
  if (!headers['content-type'].startsWith('text/plain')) return headers['content-type']
})

await attack('unusual byte ranges are answered with 200, 206 or 416', async () => {
  const part = await worker.get(own.url, undefined, { headers: { range: 'bytes=0-3' } })
  if (part.status !== 206 || part.text.length !== 4) return `${part.status}: ${part.text.length}`
  const many = `bytes=${'0-9,'.repeat(1000)}0-9`
  for (const range of ['bytes=5-2', 'bytes=999999-', 'bytes=-0', 'bytes=0-99999999999999999999', many, 'lines=1-2']) {
    const { status } = await worker.get(own.url, undefined, { headers: { range } })
    if (![200, 206, 416].includes(status)) return `${range.slice(0, 30)}: ${status}`
  }
})

// Other people’s files

const paths = ['', '/file', '/versions', '/other_uses', '/data_sheet']
await attack('a file in a confidential folder is hidden from colleagues and other companies', async () => {
  if ((await approver.get(secret.url)).status !== 200) return 'the administrator can’t read it'
  for (const [name, user] of Object.entries({ worker, office, care, reseller, manager })) {
    for (const path of paths) {
      const { status } = await user.get(secret['@id'] + path)
      if (status !== 403 && status !== 404) return `${name} ${path}: ${status}`
    }
    const change = await patch(user, secret['@id'], { label: 'x' })
    if (change.status < 400) return `${name} changed it`
    const version = await upload(user, `${secret['@id']}/versions`, 'x', `${prefix}-secret.txt`)
    if (version.status < 400) return `${name} replaced it`
  }
  if ((await call('GET', secret.url)).status !== 401) return 'readable without signing in'
})

await attack('search, filters, folders and exports don’t reveal a confidential file', async () => {
  const queries = [
    `?q=${prefix}`,
    `?checksum=${secret.checksum}`,
    `?folder=${confidential.id}`,
    `/folder_pairing?name=${prefix}-secret`,
    `/export.csv?name=${prefix}-secret`,
  ]
  for (const query of queries) {
    const path = `/api/safety/uploaded_documents${query}`
    const admins = await admin.get(path)
    if (!admins.text.includes(`${prefix}-secret`) && !query.startsWith('?q')) return `${path} finds nothing`
    const { status, text } = await worker.get(path)
    if (status !== 200 || text.includes(`${prefix}-secret`)) return `${path}: ${status}`
  }
})

await attack('a colleague who can only read a file can’t change, replace or retire it', async () => {
  if ((await worker.get(shared.url)).status !== 200) return 'the colleague can’t read it'
  for (const body of [{ label: 'x' }, { retired: true }, { folder: null }, { expires: '2030-01-01' }]) {
    const { status } = await patch(worker, shared['@id'], body)
    if (status !== 403) return `${JSON.stringify(body)}: ${status}`
  }
  const version = await upload(worker, `${shared['@id']}/versions`, 'x', `${prefix}-shared.txt`)
  if (version.status !== 403) return `version: ${version.status}`
})

await attack('nobody can put a file into a folder that they can’t read, or into another company’s folder', async () => {
  const into = await upload(worker, uploads, 'x', `${prefix}.txt`, { folder: confidential['@id'] })
  if (into.status < 400) return `upload: ${into.status}`
  const moved = await patch(worker, own['@id'], { folder: confidential['@id'] })
  if (moved.status < 400) return `move: ${moved.status}`
  const other = await upload(care, uploads, 'x', `${prefix}.txt`)
  if (other.status !== 404 && other.status !== 403) return `other company: ${other.status}`
})

await attack('a cached copy is no longer confirmed once its folder is confidential', async () => {
  const folder = await createFolder('narrowed', [])
  const file = (await upload(admin, uploads, 'cached', `${prefix}.txt`, { folder: folder['@id'] })).body
  const first = await worker.get(file.url)
  if (first.status !== 200 || !first.headers.etag) return `first: ${first.status}`
  await patch(admin, folder['@id'], { audience: ['ROLE_CLIENT_ADMIN'] })
  const headers = { 'if-none-match': first.headers.etag }
  const again = await worker.get(file.url, undefined, { headers })
  if (again.status !== 404) return `${again.status}`
})

await attack('the logo and the data sheet of a substance can’t be another company’s file', async () => {
  const letterhead = await admin.post('/api/portal/letterheads', { logo: foreign['@id'] })
  if (letterhead.status < 400) return `logo: ${letterhead.status}`
  const substance = { name: `${prefix} acid`, form: 'liquid' }
  const wrong = await admin.post('/api/safety/substances', { ...substance, sheet: foreign['@id'] })
  if (wrong.status < 400) return `data sheet: ${wrong.status}`
  const right = await admin.post('/api/safety/substances', { ...substance, sheet: shared['@id'] })
  if (right.status !== 201) return `own data sheet: ${right.status}`
})

const fields = [
  { kind: 'text', name: 'site', label: 'Site', required: true },
  { kind: 'uploads', name: 'pictures', label: 'Photos', required: true },
]
const schema = { steps: [{ name: 'a', title: 'A', groups: [{ fields }] }] }
const created = (await admin.post('/api/safety/custom_forms', { title: `${prefix} form`, schema })).body
await admin.post(`${created['@id']}/publish`, {})
const published = (await admin.get(created['@id'])).body
const answer = (pictures) =>
  worker.post('/api/safety/custom_form_answers', {
    form: published['@id'],
    version: published.current,
    answers: { site: 'x', pictures },
  })

await attack('a completed form can’t contain a file that its author can’t read', async () => {
  const right = await answer([own['@id']])
  if (right.status !== 201) return `own file: ${right.status} ${right.text}`
  for (const file of [secret['@id'], foreign['@id'], `${own['@id']}/../${secret.id}`, { '@id': secret['@id'] }]) {
    const { status } = await answer([file])
    if (status < 400) return `${JSON.stringify(file)}: ${status}`
  }
})

await attack('a value that is not a file is refused, not left out of a completed form', async () => {
  const { status, body } = await answer([own['@id'], own.id])
  if (status < 400) return `${status}: saved with ${body.answers.pictures.length} of 2 files`
})

await attack('a file of a completed form can’t be retired', async () => {
  const { status } = await patch(worker, own['@id'], { retired: true })
  if (status !== 409) return `${status}`
})

await attack(
  'only the person who requested an export can download it, and only if they may read the list',
  async () => {
    const ordered = await worker.post('/api/portal/exports', { from: '/api/safety/uploaded_documents', format: 'csv' })
    if (ordered.status !== 202) return `${ordered.status}`
    for (let i = 0; i < 60 && (await worker.get(`${ordered.body['@id']}/file`)).status !== 200; i++) await sleep(250)
    if ((await worker.get(`${ordered.body['@id']}/file`)).status !== 200) return 'no file'
    for (const user of [admin, care, manager]) {
      const { status } = await user.get(`${ordered.body['@id']}/file`)
      if (status !== 404) return `somebody else: ${status}`
    }
    for (const from of ['/api/crm/contacts', '/api/safety/../crm/contacts', 'http://evil.example/api/safety/tasks']) {
      const { status } = await worker.post('/api/portal/exports', { from, format: 'csv' })
      if (status !== 400 && status !== 403) return `${from}: ${status}`
    }
  },
)

await attack('a withdrawn link shows nothing, even with the ETag of an earlier response', async () => {
  const packs = (await admin.get('/api/safety/documents?kind=rams_pack&order[id]=asc')).body['hydra:member']
  const pack = packs.find(({ state }) => state === 'current')
  const created = await admin.post(`/api/safety/documents/${pack.id}/links`, { called: prefix, until: inDays(20) })
  if (created.status !== 200 && created.status !== 201) return `link: ${created.status}`
  const link = `/api/safety/shared_packs/${created.body.address.split('/').pop()}`
  const { body: file } = await upload(admin, uploads, 'secret', `${prefix}.txt`)
  if ((await call('GET', `${link}/files/${file.id}/file`)).status !== 404) return 'a file outside the pack is readable'
  const first = await call('GET', `${link}/pdf`)
  if (first.status !== 200) return `PDF: ${first.status}`
  await admin.post(`${created.body['@id']}/withdraw`, {})
  const headers = { 'if-none-match': first.headers.etag ?? '*' }
  for (const path of ['/pdf', '/parts']) {
    const { status } = await call('GET', link + path, { headers })
    if (status !== 410) return `${path}: ${status}`
  }
})

await attack('clients can’t read the files of the provider’s customers and leads', async () => {
  const lead = (await staff.post('/api/crm/contacts', { companyName: `${prefix} file`, name: 'Files Test' })).body
  const { body: file } = await upload(staff, `${lead['@id']}/files`, 'lead file', `${prefix}.txt`)
  if ((await staff.get(file.url)).status !== 200) return 'staff can’t read it'
  for (const user of [admin, worker, care]) {
    const { status } = await user.get(file.url)
    if (status !== 403 && status !== 404) return `${status}`
  }
})

await patch(admin, published['@id'], { retired: true })
finish()
