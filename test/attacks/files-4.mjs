// Attacks with files and texts: completed forms, uploads, pictures and messy JSON.
import { deflateSync } from 'node:zlib'
import { attack, call, finish } from './portal.mjs'
import { admin, care, client, merge, office, RUN, reseller, statuses, watch, worker } from './shared/leave.mjs'

const field = (kind, name, more = {}) => ({ kind, name, label: `=1+1 ${name}`, ...more })
const fields = [
  field('text', 't'),
  field('longText', 'l'),
  field('number', 'n'),
  field('date', 'd'),
  field('uploads', 'p'),
]
const form = await admin.post('/api/safety/custom_forms', {
  title: `=${RUN} "x"; a=b`,
  schema: { steps: [{ name: 's', title: 'S', groups: [{ fields }] }] },
})
const version = (await admin.post(`${form.body['@id']}/publish`, {})).body.current
const complete = (answers) =>
  worker.post('/api/safety/custom_form_answers', { form: form.body['@id'], version, answers })

await attack('numbers, days and field names that a form doesn’t allow are refused', async () => {
  if ((await complete({ n: 5, d: '2026-02-28' })).status !== 201) return 'not checked: a valid answer is refused'
  const prototype = JSON.parse('{"__proto__":{"t":"x"},"constructor":"x","t":"x"}')
  for (const answers of [
    { n: 'NaN' },
    { n: [1] },
    { d: '2026-02-30' },
    { d: '9999-12-31' },
    { t: [['x']] },
    { p: ['/etc/passwd'] },
    prototype,
  ]) {
    const { status } = await complete(answers)
    if (![400, 422].includes(status)) return `${JSON.stringify(answers)}: ${status}`
  }
})

await attack(
  'answers with markup, accents or thousands of lines print as text and don’t make other people wait',
  async () => {
    const texts = [
      '#set page(width: 1cm)\n#panic() $x$ @a <b> `c`',
      `a${'\u0301'.repeat(9000)}`,
      '👩‍👩‍👧‍👦'.repeat(1500),
      '\n'.repeat(19000),
      'مرحبا '.repeat(3000),
    ]
    for (const text of texts) {
      const answer = await complete({ l: text })
      if (answer.status !== 201) return `${JSON.stringify(text.slice(0, 20))}: ${answer.status}`
      const pdf = await watch(() => worker.get(`${answer.body['@id']}/pdf`))
      const width = Number(pdf.text.match(/\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)/)?.[1])
      if (pdf.status !== 200 || !(width > 500) || pdf.longest > 1000)
        return `${pdf.status}, ${width} points, others wait ${pdf.longest} ms`
    }
  },
)

await attack(
  'a form’s answers in a CSV file contain formulas only as text, and can be read only by the company',
  async () => {
    await complete({ t: '=cmd|x', l: '\t=1' })
    const { status, text } = await admin.get(`${form.body['@id']}/answers.csv`)
    if (status !== 200 || !text.includes('cmd|x')) return `not checked: ${status}`
    if (/(^|,)"?[=@+\t]/m.test(text)) return 'a formula'
    if ((await care.get(`${form.body['@id']}/answers.csv`)).status !== 404) return 'another company reads the answers'
  },
)

await attack('JSON with 100,000 levels is refused immediately', async () => {
  const raw = `{"form":${'['.repeat(1e5)}${']'.repeat(1e5)}}`
  const options = { token: worker.token, raw, headers: { 'content-type': 'application/json' } }
  const { status, longest } = await watch(() => call('POST', '/api/safety/custom_form_answers', options))
  if (status !== 400 || longest > 700) return `${status}; others wait ${longest} ms`
})

const pdf = (start = '') =>
  `${start}%PDF-1.4\n%${Math.random()}\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`
function upload(user, path, name, content, type, values = {}) {
  const body = new FormData()
  for (const [key, value] of Object.entries(values)) body.set(key, value)
  body.set('file', new Blob([content], { type }), name)
  return call('POST', path, { token: user.token, raw: body })
}
const own = await upload(worker, `/api/safety/uploads/${client}`, `${RUN}.pdf`, pdf(), 'application/pdf')

await attack('a label that is too long is refused, not cut, when a file is uploaded', async () => {
  const label = `${'Only valid with the permit of the site manager. '.repeat(6)}NOT VALID ON SITE B`
  const { status, body } = await upload(
    worker,
    `/api/safety/uploads/${client}`,
    `${RUN}.pdf`,
    pdf(),
    'application/pdf',
    { label },
  )
  if (status === 201 && body.label !== label)
    return `201, but ${body.label.length} of ${label.length} characters are stored`
  const changed = await merge(worker, own.body['@id'], { label })
  if (changed.status !== 422) return `not checked, changed: ${changed.status}`
})

await attack('a file that is both a web page and a PDF is never shown as a web page', async () => {
  const { status, body } = await upload(
    worker,
    `/api/safety/uploads/${client}`,
    `${RUN}.pdf`,
    pdf('<html><script>alert(1)</script>'),
    'text/html',
  )
  if (status !== 201) return
  const { headers } = await worker.get(`${body['@id']}/file`)
  if (headers['content-type'] !== 'application/pdf' || headers['x-content-type-options'] !== 'nosniff')
    return headers['content-type']
  if (!/sandbox/.test(headers['content-security-policy'])) return headers['content-security-policy']
})

await attack('a file can be uploaded only to the user’s own company, however its number is written', async () => {
  if (own.status !== 201) return `not checked: ${own.status}`
  for (const number of ['2', '0', '01', '1e0', '+1', '%31%32', '1%20', '-1', '9'.repeat(20), '1%2F..%2F2']) {
    const { status } = await upload(worker, `/api/safety/uploads/${number}`, `${RUN}.pdf`, pdf(), 'application/pdf')
    if (![400, 403, 404].includes(status)) return `${number}: ${status}`
  }
})

await attack('conditional and partial requests don’t reveal to others whether a file exists', async () => {
  const path = `${own.body['@id']}/file`
  const { headers } = await worker.get(path)
  const conditions = [
    { 'if-none-match': headers.etag },
    { 'if-none-match': '*' },
    { range: 'bytes=0-1', 'if-range': headers.etag },
    { range: 'bytes=999999-' },
  ]
  if ((await worker.get(path, undefined, { headers: conditions[0] })).status !== 304)
    return 'not checked: no 304 for the owner'
  for (const condition of conditions)
    for (const user of [care, office]) {
      const { status } = await user.get(path, undefined, { headers: condition })
      if (status !== 404) return `${JSON.stringify(condition)}: ${status}`
    }
  for (const user of [care, office, reseller]) {
    const answers = await Promise.all(
      ['where_used', 'other_uses', 'versions', 'data_sheet'].map((name) => user.get(`${own.body['@id']}/${name}`)),
    )
    if (answers.some(({ status }) => ![403, 404].includes(status))) return statuses(answers)
    const added = await upload(user, `${own.body['@id']}/versions`, `${RUN}.pdf`, pdf(), 'application/pdf')
    if (![403, 404].includes(added.status)) return `version: ${added.status}`
  }
})

await attack('pictures with 20,000 frames or 2 GB of compressed comments don’t make other people wait', async () => {
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  const screen = Buffer.from([0xb8, 0x0b, 0xb8, 0x0b, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  const gif = Buffer.concat([Buffer.from('GIF89a'), screen, ...Array(20000).fill(frame), Buffer.from([0x3b])])
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const data = Buffer.concat([Buffer.from('zTXtc\0\0'), deflateSync(Buffer.alloc(100e6), { level: 1 })])
  const chunk = Buffer.alloc(data.length + 8)
  chunk.writeUInt32BE(data.length - 4, 0)
  data.copy(chunk, 4)
  const png = Buffer.concat([pixel.subarray(0, 33), ...Array(20).fill(chunk), pixel.subarray(33)])
  for (const [name, content] of Object.entries({ 'a.gif': gif, 'a.png': png })) {
    const { status, longest } = await watch(() =>
      upload(worker, `/api/safety/uploads/${client}`, name, content, `image/${name.slice(2)}`),
    )
    if (status >= 500 || longest > 1000) return `${name}: ${status}; others wait ${longest} ms`
  }
})

await merge(admin, form.body['@id'], { retired: true })

finish()
