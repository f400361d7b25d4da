// Attacks on received e-mail: character sets, attachments and messages that are slow to read.
import { attack, call, finish } from './portal.mjs'
import {
  admin,
  answer,
  care,
  deliver,
  file,
  longestWait,
  multipart,
  plain,
  RUN,
  reseller,
  sent,
  sleep,
  staff,
  store,
  times,
  worker,
} from './shared/mail.mjs'

await attack('texts in other character sets are stored correctly, and a wrong character set is reported', async () => {
  const encoded = (charset, bytes) =>
    answer(
      `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: base64\r\n`,
      bytes.toString('base64'),
    )
  if ((await store(encoded('windows-1252', Buffer.from([0x80, 0x35, 0x92])))).body !== '€5’') return 'windows-1252'
  if ((await store(encoded('utf-16le', Buffer.from('é €', 'utf16le')))).body !== 'é €') return 'utf-16le'
  const wrong = await store(encoded('utf-8', Buffer.from([0x61, 0xff, 0x62])))
  if (!wrong.received.remarks.length) return 'no remark about a wrong character set'
})

await attack(
  'an HTML reply is stored as text without scripts, and a reply below the quoted text is retained',
  async () => {
    const html = await store(
      answer('Content-Type: text/html\r\n', '<p>Yes</p><script>alert(1)</script><img src=x onerror=alert(1)>'),
    )
    if (/script|onerror|alert/.test(html.body) || !html.body.includes('Yes')) return html.body
    const below = await store(answer('', 'On Monday Portal wrote:\r\n> Dear Ann\r\n\r\nPlease cancel.'))
    if (!below.body.includes('Please cancel.')) return JSON.stringify(below.body)
    const two = await store(multipart([plain('part one'), plain('part two')]))
    if (!/part one[\s\S]*part two/.test(two.body)) return JSON.stringify(two.body)
  },
)

await attack('a long reply is stored in full in a text file', async () => {
  const stored = await store(answer('', `${'z'.repeat(50000)} END`))
  const { text } = await staff.get(stored.received.files[0].url)
  if (!text.includes('END')) return `${text.length} characters`
})

await attack(
  'web pages, programs, SVG pictures and ZIP files in an e-mail are refused with their names and reasons',
  async () => {
    const parts = [
      file('a.pdf', 'application/pdf', '<html><script>alert(1)</script></html>'),
      file('b.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      file('c.exe', 'application/pdf', 'MZ\u0000\u0001'),
      file('d.docx', 'application/zip', 'PK\u0003\u0004x'),
    ]
    const { received } = await store(multipart([plain('x'), ...parts]))
    if (received.files.length || received.refused.length !== 4) return JSON.stringify(received)
  },
)

await attack('the stored name of an attached file contains no folder, control character or header line', async () => {
  const name = '..\\..\\x/../a\u0000\u0007\u202efdp.txt'
  const { received } = await store(multipart([plain('x'), file(name, 'text/plain', `text ${RUN}`)]))
  const [stored] = received.files
  if (!stored) return `not checked: ${JSON.stringify(received.refused)}`
  if (/[\\/\p{Cc}\u202e]/u.test(stored.name)) return JSON.stringify(stored.name)
  const { headers } = await staff.get(stored.url)
  if (!/attachment/.test(headers['content-disposition'])) return headers['content-disposition']
  if (headers['x-content-type-options'] !== 'nosniff' || !/no-store/.test(headers['cache-control'])) return 'headers'
})

await attack('the files of a reply can be read only by the company that received it', async () => {
  const { received } = await store(multipart([plain('x'), file('a.txt', 'text/plain', `secret ${RUN}`)]))
  const { url } = received.files[0]
  if ((await staff.get(url)).status !== 200) return 'not checked: staff can’t read the file'
  for (const user of [admin, worker, care, reseller]) {
    for (const path of [url, url.replace(/file$/, 'thumbnail'), url.replace(/\/file$/, '')]) {
      const { status } = await user.get(path, undefined, { headers: { 'if-none-match': '*', range: 'bytes=0-1' } })
      if (![403, 404].includes(status)) return `${path}: ${status}`
    }
  }
  if ((await call('GET', url)).status !== 401) return 'without sign-in'
})

await attack('files above the limit of an e-mail are named as not stored', async () => {
  const parts = times(40, (index) => file(`f${index}.txt`, 'text/plain', `${RUN} ${index}`))
  const { received } = await store(multipart([plain('x'), ...parts]))
  if (received.files.length + received.refused.length !== 40)
    return `${received.files.length} + ${received.refused.length}`
})

await attack('an e-mail with 12 MB of lines, tags, headers or addresses doesn’t make other people wait', async () => {
  const emails = [
    answer('', '\r\n'.repeat(6e6)),
    answer('Content-Type: text/html\r\n', '<table><tr><td>'.repeat(8e5)),
    answer('X-A: b\r\n'.repeat(1.4e6), 'x'),
    answer('', 'x', { from: 'a@b.example, '.repeat(8e5) }),
  ]
  for (const email of emails) {
    let status
    const longest = await longestWait(async () => ({ status } = await deliver(email)))
    if (status >= 500 || longest > 1500) return `${status}; others wait ${longest} ms`
  }
})

await attack(
  'an e-mail with 5,000 levels, 100,000 parts or more than 25 MB gets an immediate response without a 5xx error',
  async () => {
    const nested = times(
      5000,
      (index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
    ).join('')
    const emails = [answer(nested, 'x'), multipart(times(1e5, () => plain('x'))), answer('', 'x'.repeat(27e6))]
    for (const email of emails) {
      const start = Date.now()
      const { status } = await deliver(email)
      if (status >= 500 || Date.now() - start > 4000) return `${status} after ${Date.now() - start} ms`
    }
  },
)

await attack('an e-mail with a boundary of 100,000 hyphens doesn’t delay other people’s replies', async () => {
  const hyphens = '-'.repeat(1e5)
  const slow = () =>
    `From: x@y.example\r\nSubject: x\r\nMessage-ID: <${Math.random()}@x>\r\nContent-Type: multipart/mixed; boundary="${hyphens}"\r\n\r\n${hyphens.repeat(4)}`
  const work = [deliver(slow()), deliver(slow())]
  await sleep(500)
  const start = Date.now()
  await store(answer('', 'in a hurry'))
  const waited = Date.now() - start
  await Promise.all(work)
  if (waited > 3000) return `two e-mails of 0.5 MB from strangers hold back a genuine answer for ${waited} ms`
})

/** A JPEG of 36 megapixels with many scans of a few bytes each, which is slow to open. */
function slowJpeg(scans) {
  const segment = (mark, bytes) =>
    Buffer.concat([Buffer.from([255, mark, (bytes.length + 2) >> 8, (bytes.length + 2) & 255]), bytes])
  const table = (number, value) => segment(0xc4, Buffer.from([number, 1, ...Array(15).fill(0), value]))
  const scan = (first, last, size) =>
    Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, first, last, 0])), Buffer.alloc(size)])
  const frame = segment(0xc2, Buffer.from([8, 0x17, 0x70, 0x17, 0x70, 1, 1, 0x11, 0]))
  const start = [Buffer.from([255, 0xd8]), segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])), frame]
  const all = [...start, table(0, 0), table(0x10, 0xe0), scan(0, 0, 70313), ...Array(scans).fill(scan(1, 63, 66))]
  return Buffer.concat([...all, Buffer.from([255, 0xd9]), Buffer.from(String(Math.random()))])
}

await attack('pictures in a received e-mail that are slow to open don’t delay staff uploads', async () => {
  const pictures = times(2, (index) => file(`p${index}.jpg`, 'image/jpeg', slowJpeg(500)))
  const work = deliver(multipart([plain('pictures'), ...pictures]))
  await sleep(2500)
  const form = new FormData()
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  form.set('file', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), `${RUN}.png`)
  const start = Date.now()
  const { status } = await call('POST', `${sent.lead}/files`, { token: staff.token, raw: form })
  const waited = Date.now() - start
  await work
  if (status !== 201) return `not checked: ${status}`
  if (waited > 2000)
    return `a picture of 1 pixel waits ${waited} ms behind an e-mail of ${pictures.join('').length >> 10} kB`
})

finish()
